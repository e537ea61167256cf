/** Limits of the index: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const INDEXER_LIMITS = {
  /** chain blocks. Taken over in one commit while the index catches up: some 5 ms of the thread, and one flush. */
  indexBatchBlocks: 8,
  /** chain blocks. Whose facts are asked for at once; the next ones wait. */
  indexReadAhead: 8,
  /** blocks. Kept whole for the chain block that follows them; one that has gone is read again. */
  indexRecentBlocks: 16,
  /** changes. Of the tables in one commit, after which a batch ends early: a chain block with a long mergeset has some thousand. */
  indexBatchChanges: 4_096,
  /** places. Of a transaction in its own row, and blocks that an answer names of it; each further place is a row of its own. */
  indexPlaces: 16,
  /** blocks. Not merged yet, kept in memory; the ones heard of first are forgotten. */
  indexOpenBlocks: 2_048,
  /** chain blocks. As far behind the node as this, the operator is told how the index gets on. */
  indexQuietBlocks: 1_000n,
  /** chain blocks. So far behind the node the index counts as being at its sink: it is about to be. */
  indexLagBlocks: 16n,
  /** entries. Sightings and credits that wait to be written; beyond it new ones are not noted, and counted as lost. */
  indexNotesWaiting: 4_096,
  /** entries. Sightings and credits in one commit. */
  indexNotesBatch: 512,
  /** reorganisations. The newest ones, among which one that is told of again is looked for. */
  indexNotedReorgs: 16,
  /** ms. After an error of the engine or the store, until the index goes on. */
  indexRetryMs: 1_000,
  /** blocks. Read for one answer about miners; a longer hour is cut to its newest ones. */
  indexMinerBlocks: 40_000,
  /** blocks. In the window of one minute; the later ones are left out. Ten a second would be 600. */
  indexWindowBlocks: 4_096,
  /** blocks. Listed with one DAA score; those with the higher hashes are left out. */
  indexScoreBlocks: 256,
  /** rows. Miners listed; those with fewer blocks are one row. */
  indexMiners: 50,
  /** rows. Subnetworks that delivered merge-mined blocks, listed; those with fewer are left out. */
  indexRelayNets: 200,
  /** rows. Subnetworks of one hour that are added up for an answer. */
  indexRelayRows: 1_024,
  /** transactions. Waiting ones that a search by prefix looks at. */
  indexWaiting: 4_096,
  /** rows. Read between two turns while an answer is made. */
  indexTurnRows: 256,
  /** bytes. Of what a miner wrote behind its address; the rest is cut. */
  indexExtraBytes: 128,
  /** entries. Answers that are kept until the chain moves; the one used longest ago is made again. */
  indexAnswers: 32,
  /** moments. Listed of each kind among the extremes. */
  indexExtremes: 20,
} as const;
