/** What the point of sale says beside the checkout, as a type that the table of each language fills. `{name}` is a slot. */

/** The messages of a language. A missing one, or one too many, does not compile. */
export type PosMessages = {
  /** Name of the application, where a person installs it. */
  readonly appName: string;
  /** The title of the document. Slot: `store`. */
  readonly title: string;
  readonly needsScript: string;
  readonly testNetwork: string;

  readonly signInTitle: string;
  readonly signInText: string;
  readonly tillName: string;
  readonly password: string;
  readonly signIn: string;
  readonly signOut: string;
  readonly badSignIn: string;

  readonly busy: string;
  readonly offline: string;
  readonly fault: string;
  readonly signedOut: string;

  /** Slot: `till`. */
  readonly till: string;
  readonly ring: string;
  readonly amount: string;
  readonly unit: string;
  readonly coins: string;
  readonly keypad: string;
  readonly deleteLast: string;
  readonly decimalPoint: string;
  /** Slot: `coins`. */
  readonly about: string;
  /** Slots: `price`, `source`, `time`. */
  readonly rate: string;
  /** Slot: `currency`. */
  readonly noRate: string;
  /** Slot: `currency`. */
  readonly staleRate: string;
  readonly tip: string;
  readonly noTip: string;
  readonly ownTip: string;
  readonly tipAmount: string;
  readonly toPay: string;
  readonly charge: string;
  readonly badAmount: string;
  readonly badTip: string;
  readonly tooLarge: string;
  readonly noAddress: string;
  readonly newSale: string;
  readonly saleGone: string;
  readonly saleWaits: string;

  readonly close: string;
  /** Slot: `day`. */
  readonly closeOf: string;
  readonly dayBefore: string;
  readonly today: string;
  /** Slot: `zone`. */
  readonly zone: string;
  readonly download: string;
  readonly toTill: string;
  readonly noSales: string;
  readonly notAll: string;
  readonly taken: string;
  readonly takenText: string;
  readonly ofWhichTips: string;
  readonly byState: string;
  readonly allSales: string;
  readonly time: string;
  readonly state: string;
  readonly count: string;
  readonly paid: string;

  readonly stateNew: string;
  readonly statePartial: string;
  readonly statePaid: string;
  readonly stateConfirmed: string;
  readonly stateOverpaid: string;
  readonly stateExpired: string;
  readonly statePaidLate: string;

  readonly offlineTitle: string;
  readonly offlineText: string;
  readonly again: string;
};
