import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import type { StoredWallet, WalletChange } from "../state/ports.ts";
import {
  cursorOf,
  unspentNotes,
  WALLET_STATE_VERSION,
  type WalletState,
} from "../state/walletState.ts";
import { MemoryStore } from "../testkit/ports.ts";
import { STORE_CASES, StoredLife } from "../testkit/storeContract.ts";
import { decodeWalletState } from "../state/walletStateCodec.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import {
  nothingStored,
  readHead,
  readRecord,
  readState,
  STORED_FORM,
  stateWrites,
  type StoredState,
} from "./storedState.ts";

const fixture = v.object({
  head: v.string(),
  records: v.record(v.string(), v.string()),
  state: v.string(),
});
const UNIT = WALLET_LIMITS.storedRecordBytes;

/** The stored records. */
class Disk {
  head: Uint8Array = new Uint8Array();
  readonly rows = new Map<number, Uint8Array>();
  readonly leaves = new MemoryStore();
  /** Records that the last commit wrote. */
  written = 0;

  read() {
    const head = readHead(this.head);
    const records = new Map([...this.rows].map(([key, bytes]) => [key, readRecord(key, bytes)]));
    return readState(head, records);
  }
}

/** A store of rows over it. */
class RowStore {
  readonly #disk: Disk;
  #stored: StoredState = nothingStored();

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  async load(): Promise<StoredWallet | null> {
    const stored = await this.#disk.leaves.load();
    if (stored === null) return null;
    const read = this.#disk.read();
    this.#stored = read.stored;
    return { ...stored, state: read.state };
  }

  async commit(change: WalletChange): Promise<void> {
    const writes = stateWrites(this.#stored, change.state);
    for (const key of writes.gone) this.#disk.rows.delete(key);
    for (const { key, bytes } of writes.puts) {
      if (this.#disk.rows.has(key)) throw new Error("a record is written twice");
      this.#disk.rows.set(key, bytes);
    }
    this.#disk.head = writes.head;
    this.#disk.written = writes.puts.length;
    await this.#disk.leaves.commit(change);
    this.#stored = writes.stored;
  }
}

/** A wallet with 600 notes, and its disk. */
async function longWallet() {
  const disk = new Disk();
  const life = new StoredLife(() => new RowStore(disk));
  await life.receive(Array.from({ length: 600 }, (_, at) => BigInt(at + 1)));
  return { disk, life };
}

it.each(STORE_CASES)("a store of rows $name", async ({ run }) => {
  const disk = new Disk();
  await expect(run(() => new RowStore(disk))).resolves.toBeUndefined();
});

describe("a commit of a long wallet", () => {
  it("writes few records, whatever a block does", async () => {
    const { disk, life } = await longWallet();
    const whole = disk.rows.size;
    expect(whole).toBeGreaterThan(12);
    await life.receive([]);
    expect(disk.written).toBeLessThanOrEqual(2);
    await life.receive([7n]);
    expect(disk.written).toBeLessThanOrEqual(4);
    await life.spend(300);
    expect(disk.written).toBeLessThanOrEqual(5);
    await life.address();
    expect(disk.written).toBe(0);
    await life.undo(1);
    expect(disk.written).toBeLessThanOrEqual(5);
    // A block that is forgotten is skipped in its record, until none of it is left.
    for (let block = 0; block < 40; block += 1) {
      await life.receive([]);
      expect(disk.written).toBeLessThanOrEqual(3);
    }
    expect(disk.rows.size).toBeLessThan(whole + 10);
  });

  it("keeps a record where it is when its notes are spent", async () => {
    const { disk, life } = await longWallet();
    const whole = disk.rows.size;
    for (let at = 0; at < 9; at += 1) await life.spend(300);
    // One more of the history at most: none of the notes was moved to another record.
    expect(disk.rows.size).toBeLessThanOrEqual(whole + 1);
  });

  it("gives all records one length, or a multiple of it", async () => {
    const { disk, life } = await longWallet();
    await life.pay("ab".repeat(40_000));
    const lengths = [...disk.rows.values()].map(({ length }) => length);
    expect(lengths.filter((length) => length % UNIT !== 0)).toEqual([]);
    expect(lengths.filter((length) => length !== UNIT)).toHaveLength(1);
    expect(disk.head.length % UNIT).toBe(0);
  });
});

/** The code that loading throws. */
function codeOf(disk: Disk): string {
  try {
    disk.read();
    return "loads";
  } catch (error) {
    return SvcError.from(error).code;
  }
}

/** The head as another program might have written it. */
function rewrite(disk: Disk, change: (head: Record<string, unknown>) => void): void {
  const head: unknown = JSON.parse(new TextDecoder().decode(disk.head));
  if (typeof head !== "object" || head === null) throw new Error("no head");
  const copy: Record<string, unknown> = { ...head };
  change(copy);
  disk.head = new TextEncoder().encode(JSON.stringify(copy));
}

describe("damage", () => {
  it("is told: a missing record, a changed one, a cut head", async () => {
    const { disk } = await longWallet();
    for (const [key, bytes] of [...disk.rows].slice(0, 5)) {
      disk.rows.delete(key);
      expect(codeOf(disk)).toBe("store/corrupt");
      disk.rows.set(key, bytes.with(1, 0x21));
      expect(codeOf(disk)).toBe("store/corrupt");
      disk.rows.set(key, new TextEncoder().encode("{}"));
      expect(codeOf(disk)).toBe("store/corrupt");
      disk.rows.set(key, bytes);
    }
    expect(codeOf(disk)).toBe("loads");
    for (const cut of [0, 1, 100]) {
      const short = new Disk();
      short.head = disk.head.subarray(0, cut);
      expect(codeOf(short)).toBe("store/corrupt");
    }
  });

  it("is told where the head is of another form", async () => {
    const { disk } = await longWallet();
    const { head } = disk;
    for (const name of ["nextKey", "lists", "state"]) {
      disk.head = head;
      rewrite(disk, (copy) => delete copy[name]);
      expect(codeOf(disk), name).toBe("store/corrupt");
    }
    disk.head = head;
    rewrite(disk, (copy) => {
      copy["lists"] = { ...Object(copy["lists"]), blocks: { skip: 99, keys: [] } };
    });
    expect(codeOf(disk)).toBe("store/corrupt");
  });

  it("is none where a newer program has written: that is said", async () => {
    const { disk } = await longWallet();
    const { head } = disk;
    rewrite(disk, (copy) => {
      copy["form"] = STORED_FORM + 1;
    });
    expect(codeOf(disk)).toBe("store/version");
    disk.head = head;
    rewrite(disk, (copy) => {
      copy["state"] = { ...Object(copy["state"]), version: WALLET_STATE_VERSION + 1 };
    });
    expect(codeOf(disk)).toBe("store/version");
  });
});

it("writes all rows anew where an older version has written them, and leaves none behind", async () => {
  const { disk, life } = await longWallet();
  const old = new Set(disk.rows.keys());
  rewrite(disk, (copy) => {
    const { ledger: _, proof: __, ...state } = Object(copy["state"]);
    copy["state"] = { ...state, version: 2 };
  });
  const store = new RowStore(disk);
  const loaded = await store.load();
  if (loaded === null) throw new Error("there is a wallet");
  const expected: WalletState = { ...life.state, ledger: null };
  expect(loaded.state.notes).toEqual(expected.notes);
  await store.commit({ state: loaded.state, tree: null });
  expect([...disk.rows.keys()].filter((key) => old.has(key))).toEqual([]);
  const { state } = disk.read();
  expect(unspentNotes(state)).toEqual(unspentNotes(expected));
  expect(cursorOf(state)).toEqual(cursorOf(expected));
});

describe("records of form 1", () => {
  /** As a program of that form stored them. */
  async function oldDisk() {
    const file = new URL("../../../tests/fixtures/wallets/stored-rows-1.json", import.meta.url);
    const { head, records, state } = v.parse(fixture, JSON.parse(await readFile(file, "utf8")));
    const disk = new Disk();
    const bytes = (text: string) => new TextEncoder().encode(text);
    disk.head = bytes(head);
    for (const [key, text] of Object.entries(records)) disk.rows.set(Number(key), bytes(text));
    return { disk, state: decodeWalletState(state) };
  }

  it("are read, and stay beside new ones until a row of theirs changes", async () => {
    const { disk, state } = await oldDisk();
    const { state: read, stored } = disk.read();
    expect(read).toEqual(state);
    const [first, ...others] = read.notes;
    if (first === undefined) throw new Error("there are notes");
    const changed: WalletState = { ...read, notes: [{ ...first, memo: "00" }, ...others] };
    const writes = stateWrites(stored, changed);
    expect([writes.puts.length, writes.gone.length]).toEqual([1, 1]);
    for (const key of writes.gone) disk.rows.delete(key);
    for (const { key, bytes } of writes.puts) disk.rows.set(key, bytes);
    disk.head = writes.head;
    expect(disk.read().state).toEqual(changed);
    expect(JSON.parse(new TextDecoder().decode(disk.head))).toMatchObject({ form: STORED_FORM });
  });
});
