/**
 * Schema of the result of a scan with incoming viewing keys for one page of chain blocks (formats 5): what is paid to the keys, and
 * nothing of what their owners spend.
 */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { SvcError } from "../../base/svcError.ts";

const note = v.object({
  key: fields.u32,
  txid: fields.txId,
  outputIndex: fields.u32,
  cmx: fields.noteCommitment,
  position: fields.leafPosition,
  rho: fields.hash32,
  rseed: fields.hash32,
  value: fields.sompi,
  recipient: fields.rawAddress,
  addressIndex: v.nullable(fields.u32),
  memo: fields.hex,
});

const block = v.object({
  hash: fields.blockHash,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  timestamp: fields.timestampMs,
  firstLeaf: fields.leafPosition,
  leaves: fields.count,
});

const incomingFacts = v.object({
  blocks: v.array(v.object({ ...block.entries, notes: v.array(note) })),
});

/** A chain block of the page: its place in the chain and in the note tree. */
export type IncomingBlock = v.InferOutput<typeof block>;

/**
 * A note that a key reads. `memo` is hex without padding, and "" also where it was not in the page; `addressIndex` is null from 2^32
 * on. `position` is its leaf in the tree. `rho` and `rseed` open it, for a receipt and for nothing else.
 */
export type IncomingOutput = Readonly<Omit<v.InferOutput<typeof note>, "key">>;
/** A note that a key reads, and the block that made it. */
export type IncomingNote = IncomingOutput & { readonly block: IncomingBlock };

/** The result of one scan for several incoming viewing keys. */
export type IncomingFacts = {
  /** All blocks of the page in order. */
  readonly blocks: readonly IncomingBlock[];
  /** The notes of each key that has any, in the order of the chain, by the key's place among the scanner's keys. */
  readonly found: ReadonlyMap<number, readonly IncomingNote[]>;
};

/** Parses the JSON of a scanner of incoming keys. Throws `wallet/bad-page` when it has another form. */
export function readIncomingFacts(json: string): IncomingFacts {
  const found = new Map<number, IncomingNote[]>();
  const blocks = parsed(json).blocks.map(({ notes, ...place }) => {
    for (const { key, ...own } of notes) {
      const sameKey = found.get(key) ?? [];
      found.set(key, sameKey);
      sameKey.push({ ...own, block: place });
    }
    return place;
  });
  return { blocks, found };
}

/** The facts of consecutive parts of a page as those of the whole. */
export function joinedIncoming(parts: readonly IncomingFacts[]): IncomingFacts {
  const found = new Map<number, readonly IncomingNote[]>();
  for (const [key, notes] of parts.flatMap((part) => [...part.found])) {
    found.set(key, [...(found.get(key) ?? []), ...notes]);
  }
  return { blocks: parts.flatMap(({ blocks }) => blocks), found };
}

function parsed(json: string): v.InferOutput<typeof incomingFacts> {
  try {
    return v.parse(incomingFacts, JSON.parse(json));
  } catch (error) {
    throw new SvcError("wallet/bad-page", { reason: "the scan result has an unknown form" }, error);
  }
}
