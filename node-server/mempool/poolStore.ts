/**
 * Persistence of the mempool, so that an acknowledged payment survives a killed node.
 *
 * Record: key txid, value = version u8 = 1, bundle form u8, DAA score of arrival u64, RawTransaction. The proof of a
 * stored transaction was judged before it was stored; after a start it is judged again.
 */
import { asDaaScore, asTxId, type DaaScore, type TxId } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv, KvChange } from "../storage/kv.ts";
import { META_TABLES } from "../storage/layout.ts";

const VERSION = 1;
/** Version, form, score. */
const HEAD_BYTES = 1 + 1 + 8;
/** The newest form of a bundle. */
const LAST_FORM = 1;
const TABLE = META_TABLES.pool;
/** Above every txid. */
const END = new Uint8Array(33).fill(0xff);

/** A stored transaction. */
export type StoredTransaction = {
  readonly txid: TxId;
  readonly format: number;
  readonly addedAtDaa: DaaScore;
  readonly raw: Uint8Array;
};

/** A page of stored transactions. */
export type StoredPage = {
  readonly rows: readonly (StoredTransaction | SvcError)[];
  /** The key at which the next part begins; null behind the last one. */
  readonly next: Uint8Array | null;
};

/** Stores the pool with group commit: puts and removals of one turn of the event loop share a commit. */
export class PoolStore {
  readonly #store: Kv;
  readonly #defer: (flush: () => void) => void;
  #changes: KvChange[] = [];
  #flushed: PromiseWithResolvers<void> | null = null;

  /** `defer` runs the flush after what already waits in the event loop. */
  constructor(store: Kv, defer: (flush: () => void) => void) {
    this.#store = store;
    this.#defer = defer;
  }

  /** Up to so many rows from a key on, in order of ids; one that cannot be read is its `store/corrupt`. */
  page(from: Uint8Array, limit: number): StoredPage {
    const pairs = this.#store.range({ table: TABLE, from, to: END, limit });
    const last = pairs.at(-1);
    // A zero behind a key is the next one there can be.
    const next = last === undefined ? null : Uint8Array.of(...last.key, 0);
    return { rows: pairs.map(({ key, value }) => readRow(key, value)), next };
  }

  /** Stores a transaction; resolves when it is on disk. */
  put(transaction: StoredTransaction): Promise<void> {
    const { txid, format, addedAtDaa, raw } = transaction;
    const value = new ByteWriter().u8(VERSION).u8(format).u64(addedAtDaa).raw(raw).toBytes();
    return this.#change({ table: TABLE, key: decodeHex(txid), value });
  }

  /** Removes a transaction; resolves when that is on disk. */
  remove(txid: TxId): Promise<void> {
    return this.#change({ table: TABLE, key: decodeHex(txid), value: null });
  }

  /** Writes what is pending now. */
  flush(): void {
    const changes = this.#changes;
    const flushed = this.#flushed;
    this.#changes = [];
    this.#flushed = null;
    try {
      if (changes.length > 0) this.#store.commit(changes);
      flushed?.resolve();
    } catch (error) {
      flushed?.reject(error);
    }
  }

  #change(change: KvChange): Promise<void> {
    this.#changes.push(change);
    if (this.#flushed === null) {
      this.#flushed = Promise.withResolvers();
      this.#defer(() => this.flush());
    }
    return this.#flushed.promise;
  }
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "pool", reason });
}

function readRow(key: Uint8Array, value: Uint8Array): StoredTransaction | SvcError {
  try {
    return decode(key, value);
  } catch (error) {
    return SvcError.from(error);
  }
}

function decode(key: Uint8Array, value: Uint8Array): StoredTransaction {
  if (key.length !== 32 || value.length < HEAD_BYTES) throw corrupt("length");
  const reader = new ByteReader(value);
  if (reader.u8() !== VERSION) throw corrupt("unknown version");
  const format = reader.u8();
  if (format > LAST_FORM) throw corrupt("unknown form");
  const addedAtDaa = asDaaScore(reader.u64());
  const raw = reader.take(reader.remaining).slice();
  return { txid: asTxId(encodeHex(key)), format, addedAtDaa, raw };
}
