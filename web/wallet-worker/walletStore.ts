/**
 * Encrypted wallet store in IndexedDB: state and note tree sealed under the data key, each commit one transaction. Records
 * are bound to their place, so none can stand in for another.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import type {
  StoredWallet,
  StorePort,
  TreeChange,
  WalletChange,
} from "@svc/shared/wallet/state/ports.ts";
import { decodeWalletState, encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { openRecord, sealRecord } from "../keyring/sealedRecord.ts";
import { wholeTransaction, type Database, type SealedBytes } from "./database.ts";
import { joinChunks, treeWrites, type TreeExtent, type TreeWrites } from "./treeChunks.ts";

const SCHEMA = 1;
const LEAF = 32;

/** Implements the store of `@svc/shared/wallet/state/ports.ts`. */
export class WalletStore implements StorePort {
  readonly #database: Database;
  readonly #dataKey: Secret;
  #extent: TreeExtent | null = null;

  constructor(database: Database, dataKey: Secret) {
    this.#database = database;
    this.#dataKey = dataKey;
  }

  /** Throws `store/corrupt` and `store/version`. */
  async load(): Promise<StoredWallet | null> {
    const transaction = this.#database.transaction(["records", "leaves"]);
    const [state, tree, numbers, sealed] = await Promise.all([
      transaction.objectStore("records").get("state"),
      transaction.objectStore("records").get("tree"),
      transaction.objectStore("leaves").getAllKeys(),
      transaction.objectStore("leaves").getAll(),
      transaction.done,
    ]);
    if (state === undefined || tree === undefined) return null;
    const chunks = sealed.map((bytes, index) => this.#openChunk(numbers[index] ?? -1, bytes));
    if (numbers.some((number, index) => number !== index)) throw corrupt("a chunk is missing");
    const leaves = joinChunks(chunks);
    const snapshot = this.#open("tree", tree);
    const base = new DataView(snapshot.buffer).getBigUint64(0, true);
    this.#extent = { base, extra: leaves.length / LEAF, snapshotBytes: snapshot.length - 8 };
    const json = new TextDecoder().decode(this.#open("state", state));
    return { state: decodeWalletState(json), tree: snapshot.subarray(8), leaves };
  }

  /** Rejects as `storageError` says; then nothing of it is stored. */
  async commit({ state, tree }: WalletChange): Promise<void> {
    const json = new TextEncoder().encode(encodeWalletState(state));
    const sealedState = this.#seal("state", json);
    const writes = tree === null ? null : await this.#treeWrites(tree);
    // A payment's bytes must outlive a power cut; blocks can be scanned again.
    const durability = tree === null ? "strict" : "relaxed";
    const transaction = this.#database.transaction(["records", "leaves"], "readwrite", {
      durability,
    });
    const pending: Promise<unknown>[] = [
      transaction.objectStore("records").put(sealedState, "state"),
    ];
    if (writes !== null) {
      const leaves = transaction.objectStore("leaves");
      pending.push(leaves.delete(IDBKeyRange.lowerBound(writes.deleteFrom)));
      for (const [chunk, bytes] of writes.puts) pending.push(leaves.put(bytes, chunk));
      if (writes.snapshot !== null) {
        pending.push(transaction.objectStore("records").put(writes.snapshot, "tree"));
      }
    }
    await wholeTransaction(transaction, pending);
    if (writes !== null) this.#extent = writes.extent;
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
    return this.#dataKey.reveal((key) => sealRecord(key, contextOf(place), plain));
  }

  #open(place: string, sealed: SealedBytes): Uint8Array<ArrayBuffer> {
    const plain = this.#dataKey.reveal((key) => openRecord(key, contextOf(place), sealed));
    if (plain === null) throw corrupt(`${place} does not open`);
    return plain;
  }
}

type SealedWrites = Omit<TreeWrites, "puts" | "snapshot"> & {
  readonly puts: ReadonlyMap<number, SealedBytes>;
  readonly snapshot: SealedBytes | null;
};

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
