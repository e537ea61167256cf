/** The proof of a scan, and the commitments of the blocks above its base: what the note tree is made again from. */
import * as v from "valibot";
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { numberKey, pairsIn, type StoreReader } from "../../storage/rows/storeKeys.ts";
import type { ScanProof } from "./scanProof.ts";

/** What a step of the scan changes of them. */
export type CoveredStep = {
  /** The commitments of each of its blocks, 32 bytes for each; none where the scan begins anew. */
  readonly leaves: readonly Uint8Array[];
  /** The proof after it; null where it stays. */
  readonly proof: ScanProof | null;
};

/** Numbers of the two tables. */
export type ProofTables = { readonly proof: number; readonly leaves: number };

/** Hashes, a number of 256 bits. */
const total = v.pipe(
  v.string(),
  v.regex(/^(?:0|[1-9][0-9]{0,77})$/),
  v.transform((text: string) => BigInt(text)),
);
const score = fields.blueScore;
const schema: v.GenericSchema<unknown, ScanProof> = v.object({
  base: v.nullable(v.object({ chainIndex: fields.chainIndex, tree: fields.hex })),
  believedTo: v.nullable(score),
  steps: v.array(
    v.object({
      hash: fields.blockHash,
      chainIndex: fields.chainIndex,
      blueScore: score,
      child: v.object({
        hash: fields.blockHash,
        blueScore: score,
        bits: fields.u32,
        timestamp: fields.timestampMs,
      }),
      total,
    }),
  ),
  floor: v.nullable(v.object({ bits: fields.u32, setMs: fields.timestampMs })),
});

const ONLY = Uint8Array.of(0);
const ALL = Uint8Array.of();

/** The tables. Reads throw as those of `RowTable` do. */
export class ProofTable {
  readonly #store: StoreReader;
  readonly #tables: ProofTables;
  readonly #proofs: RowTable<ScanProof>;
  readonly #leaves: RowTable<Uint8Array>;

  constructor(store: StoreReader, tables: ProofTables) {
    this.#store = store;
    this.#tables = tables;
    const bytes = { encode: (leaves: Uint8Array) => leaves, decode: (body: Uint8Array) => body };
    this.#proofs = new RowTable({
      ...{ table: tables.proof, name: "proof", codec: jsonCodec(schema), seal: null },
    });
    this.#leaves = new RowTable({
      ...{ table: tables.leaves, name: "leaves", codec: bytes, seal: null },
    });
  }

  /** The proof; undefined before the first. */
  read(): ScanProof | undefined {
    return this.#proofs.get(this.#store, ONLY);
  }

  /** The commitments of the blocks above the base, block by block. */
  *leaves(): Generator<Uint8Array, void> {
    for (const { row } of this.#leaves.from(this.#store, ALL)) yield row;
  }

  /** Follows the chain: blocks above `common` are gone, null for all, and these come behind it. */
  change(
    batch: StoreBatch,
    common: ChainIndex | null,
    blocks: readonly ChainBlock[],
    { leaves, proof }: CoveredStep,
  ): void {
    this.#delete(batch, common === null ? ALL : numberKey(common + 1n), KEYS_END);
    for (const [place, own] of leaves.entries()) {
      const block = blocks[place];
      if (block !== undefined) this.#leaves.put(batch, numberKey(block.chainIndex), own);
    }
    if (proof === null) return;
    this.#proofs.put(batch, ONLY, proof);
    const from = proof.base === null ? KEYS_END : numberKey(proof.base.chainIndex + 1n);
    this.#delete(batch, ALL, from);
  }

  /** The node is believed: what was proved of other blocks is not kept. */
  clear(batch: StoreBatch): void {
    if (this.#proofs.get(batch, ONLY) === undefined) return;
    this.#proofs.delete(batch, ONLY);
    this.#delete(batch, ALL, KEYS_END);
  }

  #delete(batch: StoreBatch, from: Uint8Array, to: Uint8Array): void {
    for (const { key } of pairsIn(batch, { table: this.#tables.leaves, from, to })) {
      this.#leaves.delete(batch, key);
    }
  }
}
