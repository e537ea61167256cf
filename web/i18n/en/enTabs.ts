/** English message catalogue of a wallet in several tabs; a part of `en.ts`. */

/** The messages. */
export const enTabs = {
  "tabs.followText":
    "This tab shows what that one has, and follows it. To pay, to receive or to change something, use it here: that tab locks itself then.",
  "tabs.endedTitle": "The other tab was closed",
  "tabs.endedText": "The wallet was open there. Enter the passphrase to go on here.",
} as const;
