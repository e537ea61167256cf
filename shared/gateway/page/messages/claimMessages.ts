/** What the page of a claim says, as a type that the table of each language fills. `{name}` is a slot. */

/** The messages of a language. A missing one, or one too many, does not compile. */
export type ClaimMessages = {
  /** Slot: `store`. */
  readonly from: string;
  /** Slot: `title`. The title of the document where the address was refused. */
  readonly wrongTitle: string;

  readonly requestedTitle: string;
  readonly requestedText: string;
  readonly claimedTitle: string;
  readonly claimedText: string;
  /** Said instead where the time to change the address is over. */
  readonly claimedOverText: string;
  readonly changeTitle: string;
  readonly changeText: string;
  readonly approvedTitle: string;
  readonly approvedText: string;
  readonly sentTitle: string;
  readonly sentText: string;
  readonly confirmedTitle: string;
  readonly confirmedText: string;
  readonly cancelledTitle: string;
  readonly cancelledText: string;
  readonly failedTitle: string;
  readonly failedText: string;

  readonly steps: string;
  readonly field: string;
  readonly hint: string;
  readonly give: string;
  readonly change: string;
  readonly keep: string;
  readonly address: string;
  readonly until: string;

  readonly missingTitle: string;
  readonly missingText: string;
  readonly foreignTitle: string;
  readonly foreignText: string;
};
