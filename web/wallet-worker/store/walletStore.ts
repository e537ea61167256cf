/**
 * Encrypted wallet store in IndexedDB: records of the state and of the note tree, sealed under the data key. A commit is one
 * transaction and writes what changed. Records are bound to their place, so none can stand in for another.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import type {
  StoredWallet,
  StorePort,
  TreeChange,
  WalletChange,
} from "@svc/shared/wallet/state/ports.ts";
import { decodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import {
  namedKeys,
  nothingStored,
  readHead,
  readRecord,
  readState,
  stateWrites,
  type ParsedRecord,
  type StoredState,
} from "@svc/shared/wallet/stored/storedState.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { IDBPObjectStore, IDBPTransaction } from "idb";
import { openRecord, sealRecord } from "../../keyring/sealedRecord.ts";
import {
  wholeTransaction,
  type Database,
  type SealedBytes,
  type WalletSchema,
} from "./database.ts";
import { joinChunks, treeWrites, type TreeExtent, type TreeWrites } from "./treeChunks.ts";

const SCHEMA = 1;
const LEAF = 32;

const STORES = ["records", "rows", "leaves"] as const;

/** The wallet itself, or what reads its older blocks. */
export type StoreRoom = "" | "older/";

/** Implements the store of `@svc/shared/wallet/state/ports.ts`. */
export class WalletStore implements StorePort {
  readonly #database: Database;
  readonly #dataKey: Secret;
  readonly #room: StoreRoom;
  #extent: TreeExtent | null = null;
  #stored: StoredState = nothingStored();

  /** `room` is bound into the records: none of one room can stand in for one of the other. */
  constructor(database: Database, dataKey: Secret, room: StoreRoom = "") {
    this.#database = database;
    this.#dataKey = dataKey;
    this.#room = room;
  }

  /** Throws `store/corrupt` and `store/version`. */
  async load(): Promise<StoredWallet | null> {
    const transaction = this.#database.transaction(STORES);
    const [head, whole, tree, numbers, sealed] = await Promise.all([
      transaction.objectStore("records").get("head"),
      transaction.objectStore("records").get("state"),
      transaction.objectStore("records").get("tree"),
      transaction.objectStore("leaves").getAllKeys(),
      transaction.objectStore("leaves").getAll(),
    ]);
    if ((head ?? whole) === undefined || tree === undefined) return null;
    const state =
      head === undefined ? this.#wholeState(whole) : await this.#rows(transaction, head);
    const chunks = sealed.map((bytes, index) => this.#openChunk(numbers[index] ?? -1, bytes));
    if (numbers.some((number, index) => number !== index)) throw corrupt("a chunk is missing");
    const leaves = joinChunks(chunks);
    const snapshot = this.#open("tree", tree);
    const base = new DataView(snapshot.buffer).getBigUint64(0, true);
    this.#extent = { base, extra: leaves.length / LEAF, snapshotBytes: snapshot.length - 8 };
    return { state, tree: snapshot.subarray(8), leaves };
  }

  /** Rejects as `storageError` says; then nothing of it is stored. */
  async commit({ state, tree }: WalletChange): Promise<void> {
    const rows = stateWrites(this.#stored, state);
    const head = this.#seal("head", rows.head);
    const puts = rows.puts.map(({ key, bytes }) => [key, this.#seal(placeOf(key), bytes)] as const);
    const writes = tree === null ? null : await this.#treeWrites(tree);
    // A payment's bytes must outlive a power cut; blocks can be scanned again.
    const durability = tree === null ? "strict" : "relaxed";
    const transaction = this.#database.transaction(STORES, "readwrite", { durability });
    const records = transaction.objectStore("records");
    const pending: Promise<unknown>[] = [records.put(head, "head"), records.delete("state")];
    const rowStore = transaction.objectStore("rows");
    for (const key of rows.gone) pending.push(rowStore.delete(key));
    for (const [key, bytes] of puts) pending.push(rowStore.put(bytes, key));
    if (writes !== null) {
      const leaves = transaction.objectStore("leaves");
      pending.push(leaves.delete(IDBKeyRange.lowerBound(writes.deleteFrom)));
      for (const [chunk, bytes] of writes.puts) pending.push(leaves.put(bytes, chunk));
      if (writes.snapshot !== null) pending.push(records.put(writes.snapshot, "tree"));
    }
    await wholeTransaction(transaction, pending);
    this.#stored = rows.stored;
    if (writes !== null) this.#extent = writes.extent;
  }

  /** The state as programs before this form stored it; the next commit replaces it. */
  #wholeState(sealed: SealedBytes | undefined): WalletState {
    this.#stored = nothingStored();
    if (sealed === undefined) throw corrupt("state is missing");
    return decodeWalletState(new TextDecoder().decode(this.#open("state", sealed)));
  }

  /** Some records at a time: the browser reads the next ones while these are opened. */
  async #rows(transaction: ReadTransaction, sealedHead: SealedBytes): Promise<WalletState> {
    const head = readHead(this.#open("head", sealedHead));
    const keys = namedKeys(head);
    const records = new Map<number, ParsedRecord>();
    const store = transaction.objectStore("rows");
    const atOnce = WALLET_LIMITS.storedRecordsAtOnce;
    const batch = (from: number): Promise<SealedRows> => {
      const named = keys.slice(from, from + atOnce);
      const both = sealedRows(store, named);
      // Where what came before is damaged nobody waits for these.
      both.catch(() => undefined);
      return both;
    };
    let coming = batch(0);
    for (let from = 0; from < keys.length; from += atOnce) {
      // oxlint-disable-next-line no-await-in-loop -- one batch after the other
      const { found, sealed } = await coming;
      coming = batch(from + atOnce);
      for (const [index, bytes] of sealed.entries()) {
        const key = found[index] ?? -1;
        records.set(key, readRecord(key, this.#open(placeOf(key), bytes)));
      }
    }
    const { state, stored } = readState(head, records);
    this.#stored = stored;
    return state;
  }

  /** The writes with their bytes sealed, ready for a transaction that must not wait. */
  async #treeWrites(change: TreeChange): Promise<SealedWrites> {
    const writes = await treeWrites(this.#extent, change, (chunk) => this.#readChunk(chunk));
    const puts = new Map<number, SealedBytes>();
    for (const [chunk, bytes] of writes.puts) puts.set(chunk, this.#seal(`leaves/${chunk}`, bytes));
    const { snapshot, extent } = writes;
    return {
      ...writes,
      puts,
      snapshot: snapshot && this.#seal("tree", withBase(extent, snapshot)),
    };
  }

  async #readChunk(chunk: number): Promise<Uint8Array> {
    const sealed = await this.#database.get("leaves", chunk);
    if (sealed === undefined) throw corrupt(`chunk ${chunk} is missing`);
    return this.#openChunk(chunk, sealed);
  }

  #openChunk(chunk: number, sealed: SealedBytes): Uint8Array {
    return this.#open(`leaves/${chunk}`, sealed);
  }

  #seal(place: string, plain: Uint8Array): SealedBytes {
    const context = contextOf(`${this.#room}${place}`);
    return this.#dataKey.reveal((key) => sealRecord(key, context, plain));
  }

  #open(place: string, sealed: SealedBytes): Uint8Array<ArrayBuffer> {
    const context = contextOf(`${this.#room}${place}`);
    const plain = this.#dataKey.reveal((key) => openRecord(key, context, sealed));
    if (plain === null) throw corrupt(`${place} does not open`);
    return plain;
  }
}

type SealedWrites = Omit<TreeWrites, "puts" | "snapshot"> & {
  readonly puts: ReadonlyMap<number, SealedBytes>;
  readonly snapshot: SealedBytes | null;
};

type ReadTransaction = IDBPTransaction<WalletSchema, typeof STORES>;

type RowStore = IDBPObjectStore<WalletSchema, typeof STORES, "rows">;

/** Records as they are stored, and the key of each. */
type SealedRows = { readonly found: readonly number[]; readonly sealed: readonly SealedBytes[] };

/**
 * The records under these ascending keys. Usually the store holds no others between them, so the keys need not be read: a record that
 * stood under another one would not open.
 */
async function sealedRows(store: RowStore, named: readonly number[]): Promise<SealedRows> {
  const [first, last] = [named[0], named.at(-1)];
  if (first === undefined || last === undefined) return { found: [], sealed: [] };
  const range = IDBKeyRange.bound(first, last);
  const sealed = await store.getAll(range);
  if (sealed.length === named.length) return { found: named, sealed };
  return { found: await store.getAllKeys(range), sealed };
}

function placeOf(key: number): string {
  return `rows/${key}`;
}

/** The stored snapshot: its number of leaves, u64, and the tree's own bytes. */
function withBase(extent: TreeExtent, snapshot: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + snapshot.length);
  new DataView(bytes.buffer).setBigUint64(0, extent.base, true);
  bytes.set(snapshot, 8);
  return bytes;
}

function contextOf(place: string): Uint8Array {
  return new TextEncoder().encode(`${place}/${SCHEMA}`);
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "wallet", reason });
}
