/** English texts of the first screen, of history rows and of finished payments, a part of `en.ts`. */
export const enFace = {
  "amount.readAs": "Read as {amount}",
  "send.missingTo": "Whom to pay? Paste an address or a payment link.",
  "send.missingAmount": "How much? Write it like 12.5.",
  "send.pasteRefused":
    "The browser does not show the clipboard to this page. Put the cursor into the field and paste with the keyboard.",
  "send.sentTo": "To {address}",
  "send.copyTxid": "Copy the transaction id",

  "detail.copyTxid": "Copy the transaction id",
  "detail.lookUp": "Look it up in the explorer",
  "detail.lookUpNote":
    "The explorer finds it among others, so that its server does not learn which one you look for. Whoever opens its page there does tell it.",

  "status.timeLeft": "about {time} left",

  "day.today": "Today",
  "day.yesterday": "Yesterday",
  "day.now": "Under way",
  "ago.now": "just now",
  "ago.minutes": { one: "{count} minute ago", other: "{count} minutes ago" },
  "row.minedBlocks": { one: "{count} block", other: "{count} blocks" },
  "row.minedEach": "Show each",

  "home.firstText":
    "Show your address to whoever pays you. The payment is seen here within seconds and can be spent once its block is deep enough.",
  "home.firstMine":
    "This node runs a test network of its own: on the page with your address you can have it mine to you.",
} as const;
