/** Holds a live list still while somebody reads it: while it has the focus or the pointer is on it. */
import { createMemo, createSignal, type Accessor } from "solid-js";

/** A list that can be held. */
export type HeldList<Row> = {
  /** What is shown: the newest rows, or those from when it was held. */
  readonly rows: Accessor<readonly Row[]>;
  /** How many rows are newer than what is shown; 0 while it follows. */
  readonly waiting: Accessor<number>;
  readonly hold: () => void;
  readonly follow: () => void;
};

/** Makes it. `keyOf` tells rows apart. */
export function createHeld<Row>(
  newest: Accessor<readonly Row[]>,
  keyOf: (row: Row) => string,
): HeldList<Row> {
  const [held, setHeld] = createSignal<readonly Row[] | null>(null);
  const rows = createMemo(() => held() ?? newest());
  const waiting = createMemo(() => {
    const seen = held();
    if (seen === null) return 0;
    const known = new Set(seen.map(keyOf));
    return newest().filter((row) => !known.has(keyOf(row))).length;
  });
  return {
    rows,
    waiting,
    hold: () => setHeld((before) => before ?? newest()),
    follow: () => setHeld(null),
  };
}
