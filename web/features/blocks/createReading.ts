/** Row hold of the block list: new rows on top wait while a block is open, so that the list does not move. */
import { createSignal, type Accessor } from "solid-js";
import type { ChainRows } from "./chainRows.ts";

/**
 * Holds the list still while one of its blocks is read: rows that arrive on top wait until it is
 * closed. Rows below change as ever; if the chain gives the open block up, the list goes on.
 */
export function createReading(rows: Accessor<ChainRows>): {
  readonly openHash: Accessor<string | null>;
  /** Opens a block, or closes it when it is open already; null closes whatever is open. */
  readonly toggle: (hash: string | null) => void;
  readonly shown: Accessor<ChainRows>;
  /** Number of rows that wait. */
  readonly held: Accessor<number>;
} {
  const [reading, setReading] = createSignal<{ hash: string; top: bigint } | null>(null);
  const openHash = (): string | null => {
    const hash = reading()?.hash;
    return rows().find((row) => row.hash === hash)?.hash ?? null;
  };
  const held = (): number => {
    const top = openHash() === null ? undefined : reading()?.top;
    return top === undefined ? 0 : rows().filter((row) => row.index > top).length;
  };
  const toggle = (hash: string | null) => {
    const top = reading()?.top ?? rows()[0]?.index ?? 0n;
    const keep = openHash() === null ? (rows()[0]?.index ?? 0n) : top;
    setReading(hash === null || hash === openHash() ? null : { hash, top: keep });
  };
  return { openHash, toggle, held, shown: () => rows().slice(held()) };
}
