/**
 * Schema of a scan's result for one page of chain blocks: the input of the wallet's reducer.
 *
 * The scanner holds the viewing key and answers in JSON; everything here is checked in form, and
 * `applyFacts` checks that it continues the chain.
 */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import { fields } from "../../base/fields.ts";

const scannedNote = v.object({
  kind: v.picklist(["coinbase", "received"]),
  position: fields.leafPosition,
  value: fields.sompi,
  recipient: fields.rawAddress,
  addressIndex: v.nullable(fields.u32),
  rho: fields.hash32,
  rseed: fields.hash32,
  cmx: fields.noteCommitment,
  nullifier: fields.nullifier,
  txid: fields.txId,
  outputIndex: fields.u32,
  memo: fields.hex,
  memoKnown: v.exactOptional(v.literal(false)),
});

const sentOutput = v.object({
  txid: fields.txId,
  outputIndex: fields.u32,
  recipient: fields.rawAddress,
  address: fields.addressText,
  value: fields.sompi,
  memo: fields.hex,
});

const keyedOutput = v.object({ ...sentOutput.entries, key: fields.u32 });
const keyedNote = v.object({ ...scannedNote.entries, key: fields.u32 });

const scannedBlock = v.object({
  hash: fields.blockHash,
  index: v.nullable(fields.chainIndex),
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  timestamp: fields.timestampMs,
  firstLeaf: fields.leafPosition,
  leaves: fields.count,
  notes: v.array(scannedNote),
  sent: v.exactOptional(v.array(sentOutput)),
  refused: fields.u32,
  txs: v.array(v.object({ txid: fields.txId, nullifiers: v.array(fields.nullifier) })),
  minted: fields.total,
  spent: fields.hex,
});

const scanFacts = v.object({ blocks: v.array(scannedBlock), cmx: fields.hex });

const keyedBlock = v.object({
  ...scannedBlock.entries,
  notes: v.array(keyedNote),
  sent: v.exactOptional(v.array(keyedOutput)),
});
const keyedFacts = v.object({ blocks: v.array(keyedBlock), cmx: fields.hex });

/**
 * A note found for the viewing key. `memo` is hex, "" for coinbase notes; `memoKnown` is false where it was not in the page.
 * A wallet has one key: `key`, which tells those of a scanner with several apart, is not read.
 */
export type ScannedNote = v.InferOutput<typeof scannedNote>;
/** An output to somebody else that the owner of the viewing key sent, read back with the outgoing viewing key. `memo` is hex. */
export type SentOutput = v.InferOutput<typeof sentOutput>;
/**
 * The scan result of one chain block: its place in the note tree, own notes in it, and every applied transaction. `sent` is left out where
 * nothing could be read back. `refused`
 * counts minted outputs of the scanner's addresses that were served falsely: whose they are does not matter, the node lied.
 * `minted` is the sum of all minted outputs in sompi, `spent` the product of all nullifiers (384 bytes, empty for none).
 */
export type ScannedBlock = v.InferOutput<typeof scannedBlock>;
/** The scan result of a page of chain blocks; `cmx` is the hex of all their leaves in order. */
export type ScanFacts = v.InferOutput<typeof scanFacts>;

/** The result of one scan for several viewing keys. */
export type KeyedFacts = {
  /** What every key has in common: the blocks without any note of theirs. */
  readonly common: ScanFacts;
  /** The facts of each key that owns or sent a note in the page, by its place among the scanner's keys. */
  readonly found: ReadonlyMap<number, ScanFacts>;
};

/** Parses the JSON of a scanner with several keys. Throws `wallet/bad-page` when it has another form. */
export function readKeyedFacts(json: string): KeyedFacts {
  const { blocks, cmx } = parsed(keyedFacts, json);
  const common = { cmx, blocks: blocks.map((block) => blockOf(null, block)) };
  const keyed = blocks.flatMap(({ notes, sent = [] }) => [...notes, ...sent]);
  const keys = new Set(keyed.map(({ key }) => key));
  const found = new Map<number, ScanFacts>();
  for (const key of keys) {
    found.set(key, { cmx, blocks: blocks.map((block) => blockOf(key, block)) });
  }
  return { common, found };
}

/** The facts of consecutive parts of a page as those of the whole. Needs at least one part. */
export function joinedFacts(parts: readonly KeyedFacts[]): KeyedFacts {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const common = joined(parts.map((part) => part.common));
  const keys = new Set(parts.flatMap(({ found }) => [...found.keys()]));
  const found = new Map<number, ScanFacts>();
  for (const key of keys) {
    found.set(key, joined(parts.map((part) => part.found.get(key) ?? part.common)));
  }
  return { common, found };
}

function joined(parts: readonly ScanFacts[]): ScanFacts {
  const cmx = parts.map((part) => part.cmx).join("");
  return { blocks: parts.flatMap(({ blocks }) => blocks), cmx };
}

/** A block with the notes of one key, or of none. Whose they are says their place from then on, so that a wallet stores nothing of it. */
function blockOf(
  wanted: number | null,
  { notes, sent = [], ...block }: v.InferOutput<typeof keyedBlock>,
): ScannedBlock {
  const own = sent.flatMap(({ key, ...output }) => (key === wanted ? [output] : []));
  return {
    ...block,
    notes: notes.flatMap(({ key, ...note }) => (key === wanted ? [note] : [])),
    ...(own.length === 0 ? {} : { sent: own }),
  };
}

/** Parses the scanner's JSON. Throws `wallet/bad-page` when it has another form. */
export function readScanFacts(json: string): ScanFacts {
  return parsed(scanFacts, json);
}

/** The facts of a page, in which the notes say whether their memos were in it. */
export function withMemosOf(page: { readonly memosUnknown?: true }, facts: ScanFacts): ScanFacts {
  if (page.memosUnknown === undefined) return facts;
  const blocks = facts.blocks.map((block) => ({ ...block, notes: block.notes.map(withoutMemo) }));
  return { ...facts, blocks };
}

/** What is minted has no memo, and that is known. */
function withoutMemo(note: ScannedNote): ScannedNote {
  return note.kind === "coinbase" ? note : { ...note, memo: "", memoKnown: false };
}

function parsed<T>(schema: v.GenericSchema<unknown, T>, json: string): T {
  try {
    return v.parse(schema, JSON.parse(json));
  } catch (error) {
    throw new SvcError("wallet/bad-page", { reason: "the scan result has an unknown form" }, error);
  }
}
