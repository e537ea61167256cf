/** Resource limits of the drawn block DAG: what a page keeps of it, however long it stays open. `LIMITS.md` shows them. */

/** Name, unit in the comment, what happens beyond it. */
export const DAG_LIMITS = {
  /** blocks. Kept in the layout at once: half an hour at one block a second; the ones placed longest ago are forgotten. */
  layoutBlocks: 2_048,
  /** parents. Looked at of each block; no network allows more, and further ones are not drawn. */
  blockParents: 64,
  /** rows. Above the middle row and below it; further parallel blocks are folded into a count. */
  rowsPerSide: 12,
  /** blocks. Read from one document; the rest of a longer one is left out. */
  documentBlocks: 4_096,
  /** minutes. Of a replay that are loaded before they are played. */
  replayAheadMinutes: 3,
  /** times. The fastest replay against the clock of the chain; a faster wish is cut to it. */
  replaySpeedMost: 600,
} as const;
