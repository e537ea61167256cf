/** Row model of the block explorer, as pure functions: the rows shown so far and the node's newest rows give the rows to show. */
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";

/** Rows newest first, without gaps, each the selected parent of the one before. */
export type ChainRows = readonly ChainFacts[];

/** A refreshed list and how many shown blocks the chain gave up. */
export type Refreshed = { readonly rows: ChainRows; readonly replaced: number };

/**
 * Puts the node's newest rows on top of those shown before. Older rows are kept as long as the
 * chain below the new ones is still theirs.
 */
export function refreshRows(shown: ChainRows, newest: ChainRows): Refreshed {
  const kept = shown.slice(continuation(shown, newest));
  const lowest = newest.at(-1);
  const follows = lowest !== undefined && kept[0]?.hash === lowest.selectedParent;
  const rows = follows ? [...newest, ...kept] : newest;
  return { rows, replaced: countReplaced(shown, newest) };
}

/** Adds a page of older rows; a page that does not continue the list is not added. */
export function appendRows(shown: ChainRows, older: ChainRows): ChainRows {
  const last = shown.at(-1);
  return last !== undefined && older[0]?.hash === last.selectedParent
    ? [...shown, ...older]
    : shown;
}

/** The merged blocks beside the selected parent, which is merged by definition. */
export function mergedBeside(row: ChainFacts): ChainFacts["merged"] {
  return row.merged.filter(({ hash }) => hash !== row.selectedParent);
}

/** Everything that a block's coinbase mints. */
export function mintedBy(row: ChainFacts): bigint {
  return row.coinbase.reduce((sum, { value }) => sum + value, 0n);
}

function continuation(shown: ChainRows, newest: ChainRows): number {
  const lowest = newest.at(-1);
  if (lowest === undefined) return shown.length;
  const at = shown.findIndex((row) => row.index < lowest.index);
  return at < 0 ? shown.length : at;
}

function countReplaced(shown: ChainRows, newest: ChainRows): number {
  const hashes = new Map(newest.map((row) => [row.index, row.hash]));
  const top = newest[0]?.index ?? 0n;
  return shown.filter((row) => {
    const now = hashes.get(row.index);
    return now === undefined ? row.index > top : now !== row.hash;
  }).length;
}
