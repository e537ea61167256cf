/** English message catalogue of the first seconds of the page, before its core is there, a part of `en.ts`. */

/** The messages. */
export const enStart = {
  "start.loading": "The program is still loading. You can go on here meanwhile.",
  "start.slow":
    "The program has not come yet: the connection is slow, or the server does not send it. Nothing is lost by waiting.",
  "start.failed": "The program could not be loaded. Nothing was created or changed.",
  "start.asOf": "Last known, as of {time}, {age} ago",
  "start.newer": "A newer version of this page is ready",
  "start.newerText": "It is used once no page of this wallet is open any more, or at once:",
  "start.newerLoad": "Load it now",
  "start.again": "Try again",
} as const;
