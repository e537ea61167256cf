/** Control messages between the tests of the explorer and its stand-in nodes. */

/** What a node answers in place of the example. */
export type StandInWord = {
  readonly status?: number;
  /** Of the body; the example where both are left out. */
  readonly json?: unknown;
  readonly text?: string;
  readonly type?: string;
  readonly cacheControl?: string;
  /** Never answers, never ends, or ends the connection. */
  readonly fault?: "hang" | "flood" | "cut";
};

/** What a node was asked. */
export type StandInCall = {
  readonly node: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};
