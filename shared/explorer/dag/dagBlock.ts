/** Types of a block in the drawn DAG: what its place, colour and edges depend on, and nothing else. */

/** What the merging chain block says of it; a chain block is blue; `none` before it is merged. */
export type DagColor = "blue" | "red" | "none";

/** A block as a document tells of it. Scores and times are below 2^53. */
export type DagBlock = {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly color: DagColor;
  readonly isChainBlock: boolean;
  /** The chain block that merged it; null before it is merged, or where the document does not say. */
  readonly mergedBy: string | null;
  readonly blueScore: number;
  readonly daaScore: number;
  /** ms since 1970, by its miner's clock. */
  readonly timestamp: number;
  /** Transactions, its coinbase among them. */
  readonly txCount: number;
  /** What work it was found by; null where the document does not say. */
  readonly work: "native" | "merge-mined" | "skipped" | null;
};

/** A block with its place. A place never changes. */
export type PlacedBlock = {
  readonly block: DagBlock;
  /** Left of all columns of its children that were placed after it. */
  readonly column: number;
  /** 0 is the middle row; above it rows are negative. No two blocks share a column and a row. */
  readonly row: number;
  /** Beyond the rows of a side: counted at the edge of its column, not drawn. */
  readonly isFolded: boolean;
};
