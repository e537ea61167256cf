/**
 * Receipts of payments by their commitments, and the notes that receipts are still made of: those of blocks above the base of the note
 * tree, which a reorganisation may take back.
 */
import * as v from "valibot";
import type { BlockHash, ChainIndex, NoteCommitment } from "@svc/shared/base/brand.ts";
import { concatBytes, equalBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { LIGHT_LIMITS } from "@svc/shared/light/lightLimits.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { numberKey, pairsIn, type StoreReader } from "../../storage/rows/storeKeys.ts";
import type { MadeReceipt, PaidNote } from "./paidNote.ts";

/** Numbers of the tables. */
export type ReceiptTables = {
  readonly receipts: number;
  readonly receiptNotes: number;
  readonly receiptsDue: number;
  readonly receiptsByState: number;
};

/** A payment, and the receipt that is kept of it; null for none. */
export type NoteRow = PaidNote & { readonly made: Pick<MadeReceipt, "state" | "work"> | null };

const HASH_BYTES = 32;
const INDEX_BYTES = 8;
const ALL = Uint8Array.of();
const INDEXED = Uint8Array.of(1);

/** Hashes, a number of 256 bits. */
const work = v.pipe(
  v.string(),
  v.regex(/^(?:0|[1-9][0-9]{0,77})$/),
  v.transform((text: string) => BigInt(text)),
);
const schema: v.GenericSchema<unknown, NoteRow> = v.object({
  key: fields.viewingKeyId,
  index: fields.u32,
  cmx: fields.noteCommitment,
  block: fields.blockHash,
  chainIndex: fields.chainIndex,
  note: v.object({
    recipient: fields.rawAddress,
    value: fields.sompi,
    rho: v.string(),
    rseed: v.string(),
    position: fields.u32,
  }),
  made: v.nullable(v.object({ state: fields.chainIndex, work })),
});

/** The tables. Reads throw as those of `RowTable` do. */
export class ReceiptTable {
  readonly #store: StoreReader;
  readonly #tables: ReceiptTables;
  readonly #notes: RowTable<NoteRow>;
  readonly #files: RowTable<Uint8Array>;

  constructor(store: StoreReader, tables: ReceiptTables) {
    this.#store = store;
    this.#tables = tables;
    const { receiptNotes, receipts } = tables;
    const codec = {
      encode: (file: Uint8Array) => file,
      decode: (body: Uint8Array) => body.slice(),
    };
    this.#notes = new RowTable({
      ...{ table: receiptNotes, name: "receipt_notes", codec: jsonCodec(schema), seal: null },
    });
    this.#files = new RowTable({ table: receipts, name: "receipts", codec, seal: null });
  }

  /** The file of the receipt of a payment that this block accepts; null for none. */
  receipt(
    cmx: NoteCommitment,
    block: BlockHash,
    reader: StoreReader = this.#store,
  ): Uint8Array<ArrayBuffer> | null {
    const row = this.#files.get(reader, decodeHex(cmx));
    if (row === undefined || !equalBytes(row.subarray(0, HASH_BYTES), decodeHex(block)))
      return null;
    return row.slice(HASH_BYTES);
  }

  /** The payments above the base of the tree of which a receipt is kept. */
  *made(reader: StoreReader = this.#store): Generator<NoteRow, void> {
    for (const { row } of this.#notes.from(reader, ALL)) if (row.made !== null) yield row;
  }

  /**
   * The payments that a receipt may be made of at the state after a block: at most so many that have none, the oldest first, then those
   * that have one and lie near enough below it that a better one may take its place.
   */
  *open(state: ChainIndex, most: number): Generator<NoteRow, void> {
    const { receiptNotes, receiptsDue: due } = this.#tables;
    const to = numberKey(state + 1n);
    let left = most;
    for (const { key } of pairsIn(this.#store, { table: due, from: ALL, to })) {
      if (left === 0) return;
      const row = this.#notes.get(this.#store, key);
      if (row === undefined) continue;
      left -= 1;
      yield row;
    }
    const low = state - LIGHT_LIMITS.receiptSureBlocks;
    const from = numberKey(low > 0n ? low : 0n);
    for (const { key } of pairsIn(this.#store, { table: receiptNotes, from, to })) {
      if (left === 0) return;
      const row = this.#notes.get(this.#store, key);
      if (row === undefined || row.made === null) continue;
      left -= 1;
      yield row;
    }
  }

  /** Takes a payment that has no receipt yet; one that is kept of it in another block goes. */
  put(batch: StoreBatch, paid: PaidNote): void {
    const key = keyOf(paid);
    this.#drop(batch, key);
    this.#dropFile(batch, paid.cmx);
    this.#notes.put(batch, key, { ...paid, made: null });
    batch.put(this.#tables.receiptsDue, key, INDEXED);
  }

  /** Keeps a receipt in the place of the one before it; false where the payment is not here any more. */
  keep(batch: StoreBatch, { paid, bytes, state, work: shown }: MadeReceipt): boolean {
    const key = keyOf(paid);
    const row = this.#notes.get(batch, key);
    if (row === undefined) return false;
    this.#unindex(batch, key, row);
    this.#notes.put(batch, key, { ...row, made: { state, work: shown } });
    batch.put(this.#tables.receiptsByState, concatBytes(numberKey(state), key), INDEXED);
    this.#files.put(batch, decodeHex(paid.cmx), concatBytes(decodeHex(paid.block), bytes));
    return true;
  }

  /**
   * Blocks above `common` are gone, null for all: with them the payments that they accept, and the receipts whose header was one of them.
   * Returns the payments that stay and have lost theirs.
   */
  cut(batch: StoreBatch, common: ChainIndex | null): readonly PaidNote[] {
    const { receiptNotes, receiptsByState } = this.#tables;
    const from = common === null ? ALL : numberKey(common + 1n);
    for (const { key } of [...pairsIn(batch, { table: receiptNotes, from, to: KEYS_END })]) {
      const row = this.#notes.get(batch, key);
      this.#drop(batch, key);
      if (row !== undefined) this.#dropFile(batch, row.cmx);
    }
    if (common === null) return [];
    const above = { table: receiptsByState, from: numberKey(common), to: KEYS_END };
    return [...pairsIn(batch, above)].flatMap(({ key }) => this.#lose(batch, key));
  }

  /** Forgets the notes of blocks up to one: their receipts stay as they are. `files`: the receipts go, too. */
  forget(batch: StoreBatch, upTo: ChainIndex, { files }: { readonly files: boolean }): void {
    const range = { from: ALL, to: numberKey(upTo + 1n) };
    for (const { key } of [...pairsIn(batch, { table: this.#tables.receiptNotes, ...range })]) {
      const row = this.#notes.get(batch, key);
      this.#drop(batch, key);
      if (files && row !== undefined) this.#dropFile(batch, row.cmx);
    }
  }

  /** The node is believed: no more receipts are made. Those that are kept stay. */
  clear(batch: StoreBatch): void {
    const all = { table: this.#tables.receiptNotes, from: ALL, to: KEYS_END };
    for (const { key } of [...pairsIn(batch, all)]) this.#drop(batch, key);
  }

  /** A receipt goes, by the row of its state; its payment waits for another. */
  #lose(batch: StoreBatch, byState: Uint8Array): readonly PaidNote[] {
    const key = byState.subarray(INDEX_BYTES);
    const row = this.#notes.get(batch, key);
    if (row === undefined) return [];
    this.#unindex(batch, key, row);
    this.#dropFile(batch, row.cmx);
    this.#notes.put(batch, key, { ...row, made: null });
    batch.put(this.#tables.receiptsDue, key, INDEXED);
    return [row];
  }

  #drop(batch: StoreBatch, key: Uint8Array): void {
    const row = this.#notes.get(batch, key);
    if (row === undefined) return;
    this.#unindex(batch, key, row);
    this.#notes.delete(batch, key);
  }

  #unindex(batch: StoreBatch, key: Uint8Array, { made }: NoteRow): void {
    const { receiptsDue, receiptsByState } = this.#tables;
    if (made === null) batch.put(receiptsDue, key, null);
    else batch.put(receiptsByState, concatBytes(numberKey(made.state), key), null);
  }

  #dropFile(batch: StoreBatch, cmx: NoteCommitment): void {
    const key = decodeHex(cmx);
    if (this.#files.get(batch, key) !== undefined) this.#files.delete(batch, key);
  }
}

function keyOf({ chainIndex, cmx }: Pick<PaidNote, "chainIndex" | "cmx">): Uint8Array {
  return concatBytes(numberKey(chainIndex), decodeHex(cmx));
}
