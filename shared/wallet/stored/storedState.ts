/**
 * Form of a wallet's state in a store: a head, and records with some rows each. A commit writes the head and the records whose rows
 * changed.
 *
 * A record is JSON that is written once under a key of its own; what replaces it has another key. The head names the records of each
 * list in order, so one that is missing, old or of another place is damage. All records have the same length, filled up with
 * blanks, or a multiple of it: their number tells no more than the length of one large record would.
 */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import { stableJson } from "../../base/stableJson.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { WALLET_STATE_VERSION, type WalletState } from "../state/walletState.ts";
import { emptyList, planList, type RowGroup, type StoredList } from "./rowGroups.ts";
import { rowsOfRuns, rowText, runsJson, sizeOf } from "./rowRuns.ts";
import {
  headOf,
  listsOf,
  perList,
  ROW_LISTS,
  stateOf,
  type PerList,
  type RowList,
} from "./stateRows.ts";

/** Version of the form. */
export const STORED_FORM = 2;
/** The oldest that is read: its records have all values of each row. They are written anew when a row of theirs changes. */
const OLDEST_FORM = 1;

const UNIT = WALLET_LIMITS.storedRecordBytes;
/** New rows leave the rest free: a row grows when its note is spent, and stays in its record. */
const FILL = (UNIT / 8) * 7;
const BLANK = 0x20;

/** The stored rows of a state, as the store remembers them between commits. */
export type StoredState = {
  /** The next key that was never used. */
  readonly nextKey: number;
  readonly lists: PerList<StoredList>;
  /** Records of an older version, which are in no list and go with the next commit. */
  readonly outdated: readonly number[];
};

/** A record: its key, and its bytes before they are sealed. */
export type RowRecord = { readonly key: number; readonly bytes: Uint8Array<ArrayBuffer> };

/** The writes of a commit. */
export type StateWrites = {
  /** Bytes of the head before they are sealed. */
  readonly head: Uint8Array<ArrayBuffer>;
  readonly puts: readonly RowRecord[];
  /** Keys of the records that nothing names any more. */
  readonly gone: readonly number[];
  /** What the store holds when all of it is done. */
  readonly stored: StoredState;
};

const key = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const listHead = v.object({ skip: key, keys: v.array(key) });
const headSchema = v.object({
  nextKey: key,
  lists: v.object(perList(() => listHead)),
  state: v.looseObject({}),
});

/** A head that was read. Its state is not checked yet. */
export type StoredHead = v.InferOutput<typeof headSchema>;

/** A store with nothing in it. */
export function nothingStored(): StoredState {
  return { nextKey: 0, lists: perList(emptyList), outdated: [] };
}

/** The writes that bring the stored records to this state. */
export function stateWrites(before: StoredState, state: WalletState): StateWrites {
  const puts: RowRecord[] = [];
  const write = (list: RowList, from: number, to: number): RowGroup[] =>
    piecesOf(list, from, to).map(({ json, count }) => {
      const group = { key: before.nextKey + puts.length, count, bytes: json.length };
      puts.push({ key: group.key, bytes: filledUp(json) });
      return group;
    });
  const lists = listsOf(state);
  const after = perList((name): StoredList => {
    const list = lists[name];
    const { parts, skip } = planList(before.lists[name], list, FILL);
    const groups = parts.flatMap((part) =>
      "kept" in part ? [part.kept] : write(list, part.from, part.to),
    );
    return { list, groups, skip };
  });
  const stored = { nextKey: before.nextKey + puts.length, lists: after, outdated: [] };
  const named = new Set(keysOf(after));
  const gone = [...before.outdated, ...keysOf(before.lists).filter((old) => !named.has(old))];
  return { head: headBytes(stored, state), puts, gone, stored };
}

/** Reads a head, also of an older form. Throws `store/version` for a newer one and `store/corrupt`. */
export function readHead(bytes: Uint8Array): StoredHead {
  const parsed = parse(bytes, "the head").value;
  const form: unknown =
    typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "form") : undefined;
  if (typeof form === "number" && (form < OLDEST_FORM || form > STORED_FORM)) {
    throw new SvcError("store/version", { expected: STORED_FORM, found: form });
  }
  const result = v.safeParse(headSchema, parsed);
  if (!result.success) throw corrupt(`the head: ${v.getDotPath(result.issues[0]) ?? "form"}`);
  return result.output;
}

/** The keys of all records that a head names, ascending. */
export function namedKeys({ lists }: StoredHead): readonly number[] {
  return ROW_LISTS.flatMap((name) => lists[name].keys).toSorted((a, b) => a - b);
}

/** The rows of a record, parsed and not checked yet; the bytes without the blanks. */
export type ParsedRecord = { readonly rows: readonly unknown[]; readonly bytes: number };

/** Reads a record. Throws `store/corrupt`. */
export function readRecord(recordKey: number, bytes: Uint8Array): ParsedRecord {
  const { value, length } = parse(bytes, `record ${recordKey}`);
  const rows = rowsOfRuns(value);
  if (rows === null) throw corrupt(`record ${recordKey} has no rows`);
  return { rows, bytes: length };
}

/**
 * The state of a head and all records that it names, and what the store holds of it. Throws `store/version` for a state of a newer
 * version and `store/corrupt`.
 */
export function readState(
  head: StoredHead,
  records: ReadonlyMap<number, ParsedRecord>,
): { readonly state: WalletState; readonly stored: StoredState } {
  const parsed = perList((name) => {
    const { skip, keys } = head.lists[name];
    const groups = keys.map((one) => ({ key: one, ...recordOf(records, one) }));
    if (skip > (groups[0]?.rows.length ?? 0)) throw corrupt(`${name} begins behind its records`);
    return { groups, skip, rows: groups.flatMap(({ rows }) => rows).slice(skip) };
  });
  const state = stateOf(
    head.state,
    perList((name) => parsed[name].rows),
  );
  // Rows of an older version are all written anew.
  if (head.state["version"] !== WALLET_STATE_VERSION) {
    return {
      state,
      stored: { ...nothingStored(), nextKey: head.nextKey, outdated: namedKeys(head) },
    };
  }
  const lists = listsOf(state);
  const stored = perList((name): StoredList => {
    const { groups, skip } = parsed[name];
    const counted = groups.map(({ key: one, rows, bytes }, index) => {
      return { key: one, count: rows.length - (index === 0 ? skip : 0), bytes };
    });
    return { list: lists[name], groups: counted, skip };
  });
  return { state, stored: { nextKey: head.nextKey, lists: stored, outdated: [] } };
}

function recordOf(records: ReadonlyMap<number, ParsedRecord>, recordKey: number): ParsedRecord {
  const record = records.get(recordKey);
  if (record === undefined) throw corrupt(`record ${recordKey} is missing`);
  return record;
}

function keysOf(lists: PerList<StoredList>): readonly number[] {
  return ROW_LISTS.flatMap((name) => lists[name].groups.map((group) => group.key));
}

function headBytes({ nextKey, lists }: StoredState, state: WalletState): Uint8Array<ArrayBuffer> {
  const names = perList((name) => {
    const { skip, groups } = lists[name];
    return { skip, keys: groups.map((group) => group.key) };
  });
  return filledUp(stableJson({ form: STORED_FORM, nextKey, lists: names, state: headOf(state) }));
}

/** The rows of a part of a list, as JSON of records: of one where they fit. */
function piecesOf(
  { rows }: RowList,
  from: number,
  to: number,
): readonly { readonly json: string; readonly count: number }[] {
  const texts = rows.slice(from, to).map((row) => rowText(row));
  const whole = runsJson(texts);
  if (whole.length <= UNIT && texts.length > 0) return [{ json: whole, count: texts.length }];
  const pieces: { json: string; count: number }[] = [];
  let begin = 0;
  let size = 0;
  const cut = (end: number): void => {
    if (end === begin) return;
    pieces.push({ json: runsJson(texts.slice(begin, end)), count: end - begin });
    [begin, size] = [end, 0];
  };
  for (const [index, text] of texts.entries()) {
    const more = sizeOf(text, texts[index - 1]);
    if (size + more > FILL) cut(index);
    // The first row of a record is written whole.
    size += index === begin ? sizeOf(text, undefined) : more;
  }
  cut(texts.length);
  return pieces;
}

function filledUp(json: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(json);
  const bytes = new Uint8Array(Math.ceil(text.length / UNIT) * UNIT).fill(BLANK, text.length);
  bytes.set(text);
  return bytes;
}

function parse(
  bytes: Uint8Array,
  what: string,
): { readonly value: unknown; readonly length: number } {
  let length = bytes.length;
  while (bytes[length - 1] === BLANK) length -= 1;
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes.subarray(0, length))), length };
  } catch (error) {
    throw corrupt(`${what} is no JSON`, error);
  }
}

function corrupt(reason: string, cause?: unknown): SvcError {
  return new SvcError("store/corrupt", { table: "wallet", reason }, cause);
}
