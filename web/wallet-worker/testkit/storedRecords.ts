/** Records of a wallet's store as a test puts, damages, weighs and loads them. */
import * as v from "valibot";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { openDB } from "idb";
import { MIGRATIONS } from "../store/migrations.ts";
import { deleteDatabase, FIRST_DATABASE } from "../store/database.ts";
import { WalletStore } from "../store/walletStore.ts";
import { openTestDatabase, testKey } from "./storeRules.ts";

const hex = v.pipe(
  v.string(),
  v.transform((text) => decodeHex(text)),
);
const storedOld = v.object({
  dataKey: hex,
  records: v.object({ state: hex, tree: hex }),
  leaves: v.array(hex),
});

let key: Uint8Array | null = null;

/** The key of what was stored: hex. */
export async function setKey(dataKey: string): Promise<void> {
  key = decodeHex(dataKey);
}

/** Stores records of a program that kept the whole state as one, in a database of its version. */
export async function putStored(stored: unknown): Promise<void> {
  const { dataKey, records, leaves } = v.parse(storedOld, stored);
  key = dataKey;
  await deleteDatabase(FIRST_DATABASE);
  const old = await openDB(FIRST_DATABASE, 1, {
    upgrade: (database) =>
      MIGRATIONS[0]?.({
        createObjectStore: (name) => database.createObjectStore(name),
        deleteObjectStore: (name) => database.deleteObjectStore(name),
      }),
  });
  const transaction = old.transaction(["records", "leaves"], "readwrite");
  await Promise.all([
    transaction.objectStore("records").put(records.state, "state"),
    transaction.objectStore("records").put(records.tree, "tree"),
    ...leaves.map((bytes, chunk) => transaction.objectStore("leaves").put(bytes, chunk)),
    transaction.done,
  ]);
  old.close();
}

/** Loads the wallet, and its next address is handed out: JSON of the state before that, and the form that was found. */
export async function loadStored(): Promise<{
  readonly state: string;
  readonly form: string;
} | null> {
  const database = await openTestDatabase();
  try {
    const form = (await database.getKey("records", "head")) === undefined ? "whole" : "rows";
    const store = new WalletStore(database, key === null ? testKey() : new Secret(key.slice()));
    const loaded = await store.load();
    if (loaded === null) return null;
    const { state } = loaded;
    const { account } = state;
    const next = { ...account, nextAddressIndex: account.nextAddressIndex + 1 };
    await store.commit({ state: { ...state, account: next }, tree: null });
    return { state: encodeWalletState(state), form };
  } finally {
    database.close();
  }
}

/** Changes what is stored. `missing`, `changed`, `swapped`, `old`: a record of rows; `head`: a byte of the head. */
export async function damageRecord(kind: string): Promise<void> {
  const database = await openTestDatabase();
  try {
    const keys = await database.getAllKeys("rows");
    const [first = -1, second = -1] = keys;
    const [one, other] = [await database.get("rows", first), await database.get("rows", second)];
    const head = await database.get("records", "head");
    if (one === undefined || other === undefined || head === undefined) throw new Error("no rows");
    if (kind === "missing") await database.delete("rows", first);
    if (kind === "changed") await database.put("rows", one.with(200, (one[200] ?? 0) ^ 1), first);
    if (kind === "swapped") await database.put("rows", other, first);
    if (kind === "head")
      await database.put("records", head.with(200, (head[200] ?? 0) ^ 1), "head");
  } finally {
    database.close();
  }
}

/** What somebody sees who has the files and no key: the lengths of records, by store. */
export async function storedSizes(): Promise<Readonly<Record<string, readonly number[]>>> {
  const database = await openTestDatabase();
  try {
    const [records, rows] = [await database.getAll("records"), await database.getAll("rows")];
    return { records: records.map(({ length }) => length), rows: rows.map(({ length }) => length) };
  } finally {
    database.close();
  }
}
