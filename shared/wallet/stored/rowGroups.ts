/**
 * Finds what of a list of rows has to be written: rows are stored in groups, and a group with a changed row is written anew.
 *
 * Two lists are compared by the identity of their rows, which costs a fraction of a millisecond for 60,000 of them.
 */
import type { RowList } from "./stateRows.ts";

/** Rows that are stored together. */
export type RowGroup = {
  /** Of its record; never used again for another one. */
  readonly key: number;
  /** How many rows of the list are in it. */
  readonly count: number;
  /** Bytes of their JSON: whether there is room for one more. */
  readonly bytes: number;
};

/** A list as it is stored. */
export type StoredList = {
  readonly list: RowList;
  /** In the order of the list. */
  readonly groups: readonly RowGroup[];
  /** Rows at the front of the first group's record that are gone from the list: they are not worth another record. */
  readonly skip: number;
};

/** Rows that stay in their record, or a part of the list that has to be written. */
export type GroupPlan =
  | { readonly kept: RowGroup }
  | { readonly from: number; readonly to: number };

/** What becomes of a list. */
export type ListPlan = { readonly parts: readonly GroupPlan[]; readonly skip: number };

/** A list of which nothing is stored. */
export function emptyList(): StoredList {
  return { list: { rows: [], orderAt: () => 0n }, groups: [], skip: 0 };
}

/**
 * Plans the writes that bring a stored list to `next`. New rows at the end go into the last group while it has fewer than
 * `fillBytes`.
 */
export function planList(stored: StoredList, next: RowList, fillBytes: number): ListPlan {
  const { list, groups } = stored;
  if (next.rows === list.rows)
    return { parts: groups.map((kept) => ({ kept })), skip: stored.skip };
  const parts: GroupPlan[] = [];
  let skip = 0;
  let old = 0;
  let from = 0;
  for (const [index, group] of groups.entries()) {
    const end = old + group.count;
    const found = compareGroup(list, { from: old, to: end }, next, from);
    old = end;
    const isFirst = parts.length === 0;
    const isLast = index === groups.length - 1;
    const more = isLast && found.to < next.rows.length && group.bytes < fillBytes;
    const to = more ? next.rows.length : found.to;
    if (!more && to > from && found.kind === "same") parts.push({ kept: group });
    else if (!more && to > from && found.kind === "cut" && isFirst) {
      skip = group.count - (to - from);
      parts.push({ kept: { ...group, count: to - from } });
    } else if (to > from) parts.push({ from, to });
    if (isFirst && index === 0 && skipStays(parts, stored.skip)) skip += stored.skip;
    from = to;
  }
  if (from < next.rows.length) parts.push({ from, to: next.rows.length });
  return { parts, skip };
}

/** The first group stays in its record, so what was gone from it before is still there. */
function skipStays([first]: readonly GroupPlan[], skip: number): boolean {
  return skip > 0 && first !== undefined && "kept" in first;
}

type Range = { readonly from: number; readonly to: number };

/** Where the rows of a group end in the next list. `cut`: some at its front are gone, and nothing else. */
type Compared = { readonly kind: "same" | "cut" | "other"; readonly to: number };

function compareGroup(list: RowList, range: Range, next: RowList, begin: number): Compared {
  let at = begin;
  let gone = 0;
  let isOther = false;
  for (let old = range.from; old < range.to; old += 1) {
    const row = list.rows[old];
    if (at < next.rows.length && next.rows[at] === row) {
      at += 1;
      continue;
    }
    const order = list.orderAt(old);
    const start = at;
    while (at < next.rows.length && next.rows[at] !== row && next.orderAt(at) < order) at += 1;
    const isThere = at < next.rows.length;
    // The row itself behind new ones, or another one in its place.
    if (isThere && (next.rows[at] === row || next.orderAt(at) === order)) {
      at += 1;
      isOther = true;
    } else if (at !== start || at !== begin) isOther = true;
    else gone += 1;
  }
  if (isOther) return { kind: "other", to: at };
  return { kind: gone === 0 ? "same" : "cut", to: at };
}
