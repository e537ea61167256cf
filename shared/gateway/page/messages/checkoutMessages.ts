/** What the checkout page says, as a type that the table of each language fills. `{name}` is a slot. */

/** The messages of a language. A missing one, or one too many, does not compile. */
export type CheckoutMessages = {
  /** The title of the document. Slots: `state`, `store`. */
  readonly title: string;
  /** Slot: `store`. */
  readonly payTo: string;
  readonly testNetwork: string;

  readonly newTitle: string;
  readonly newText: string;
  readonly newCopy: string;
  readonly seenTitle: string;
  /** Slot: `seen`. */
  readonly seenText: string;
  readonly partialTitle: string;
  /** Slots: `paid`, `due`. */
  readonly partialText: string;
  readonly partialOverTitle: string;
  /** Slots: `paid`, `due`. */
  readonly partialOverText: string;
  readonly partialOverShop: string;
  readonly paidTitle: string;
  readonly paidText: string;
  /** Slots: `count`, `all`. */
  readonly confirmations: string;
  readonly confirmedTitle: string;
  readonly confirmedText: string;
  readonly overpaidTitle: string;
  /** Slot: `over`. */
  readonly overpaidText: string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly lateTitle: string;
  /** Slot: `paid`. */
  readonly lateText: string;
  /** Said beside another state. */
  readonly wasLate: string;
  /** Said beside `paid`. Slot: `over`. */
  readonly tooMuch: string;

  readonly amount: string;
  readonly paid: string;
  readonly due: string;
  readonly over: string;
  readonly address: string;
  readonly invoice: string;
  readonly coin: string;
  readonly coins: string;
  readonly payBefore: string;
  readonly timeLeft: string;
  /** Text that stands for the QR code. Slot: `uri`. */
  readonly qr: string;
  readonly openWallet: string;
  readonly copyAmount: string;
  readonly copyAddress: string;
  readonly copied: string;
  readonly copyRefused: string;
  readonly topUp: string;
  /** Slot: `store`. */
  readonly back: string;
  readonly backPlain: string;
  readonly receipt: string;
  readonly print: string;

  readonly missingTitle: string;
  readonly missingText: string;
  readonly busyTitle: string;
  readonly busyText: string;
  readonly faultTitle: string;
  readonly faultText: string;
};
