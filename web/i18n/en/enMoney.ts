/** English message catalogue of payments over several transactions, and of how notes are chosen; a part of `en.ts`. */

/** The messages. */
export const enMoney = {
  "pay.availableMany": {
    one: "{amount} can be sent, in one payment of {count} transaction",
    other: "{amount} can be sent, in one payment of {count} transactions",
  },
  "pay.howTitle": "How it is paid",
  "pay.exact":
    "Your coins lie in notes, and a note is spent whole. One of them has exactly the sum that is needed.",
  "pay.one":
    "Your coins lie in notes, and a note is spent whole. The smallest one that is enough is spent.",
  "pay.many": {
    one: "Your coins lie in notes, and a note is spent whole. {count} note is spent.",
    other:
      "Your coins lie in notes, and a note is spent whole. No single one is enough: {count} are spent, the largest first.",
  },
  "pay.shared": {
    one: "{count} note is spent, the one that the earlier payment spends, too: only one of them can go through.",
    other:
      "{count} notes are spent, some of those that the earlier payment spends, too: only one of them can go through.",
  },
  "pay.noChange": "Nothing comes back as change.",
  "pay.change": "{amount} come back to you as change. They can be spent again after {time}.",
  "pay.transactions": {
    one: "All of it goes in {count} transaction.",
    other:
      "One transaction holds 38 notes at most, so this payment takes {count}, sent one after the other. You confirm it once; the fee is that of all of them. If this page closes meanwhile, the wallet goes on when it is open again.",
  },
  "pay.part": "Transaction {part} of {parts}",
  "pay.outSoFar": {
    one: "{count} transaction is sent. Stopping keeps it and sends nothing more.",
    other: "{count} transactions are sent. Stopping keeps them and sends nothing more.",
  },
  "pay.stop": "Stop here",
  "pay.pausedTitle": "A part of the payment is sent",
  "pay.pausedText": {
    one: "{count} transaction is sent. The wallet sends the rest by itself as soon as it can; nothing is paid twice.",
    other:
      "{count} transactions are sent. The wallet sends the rest by itself as soon as it can; nothing is paid twice.",
  },
  "pay.allSent": {
    one: "{count} transaction is on its way. It is in a block within seconds.",
    other: "All {count} transactions are on their way. They are in a block within seconds.",
  },
  "pay.partlyTitle": "Paid in part",
  "pay.partlyText": {
    one: "{count} transaction is sent, and stays so. Nothing more is sent. History says what was paid.",
    other:
      "{count} transactions are sent, and stay so. Nothing more is sent. History says what was paid.",
  },
  "pay.rowPartly": "Paid in part",
  "pay.rowUnderWay": "Under way",
  "pay.confirmed": "Confirmed by you",
  "pay.rowParts": "Transactions",
  "pay.openPart": "Transaction {part}",
  "pay.rowStopped": "Nothing more of this payment is sent.",
} as const;
