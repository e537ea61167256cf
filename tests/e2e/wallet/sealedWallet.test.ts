/** The browser's storage holds seed, keys, addresses, amounts and notes of a wallet only encrypted. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import * as v from "valibot";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { readHead, readRecord, readState } from "@svc/shared/wallet/stored/storedState.ts";
import { openRecord } from "@svc/web/keyring/sealedRecord.ts";
import { passphraseBytes } from "@svc/web/wallet-api/passphraseBytes.ts";
import { openVault } from "@svc/web/keyring/vault.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { plant, searchOrigin, STORAGES, type Needle } from "../testkit/originData.ts";
import { setScene } from "../testkit/scene.ts";

const PASSPHRASE = "four unrelated words here";
/** Under it an amount is too short a text to be sure that it is one. */
const TELLING_DIGITS = 8;

const scene = setScene();
const core = await loadCoreFile();
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const bytesAsHex = v.pipe(
  v.string(),
  v.transform(decodeHex),
  v.transform((b) => b.slice()),
);
const records = v.object({
  vault: v.object({ header: v.string(), passSlot: bytesAsHex, seed: bytesAsHex }),
  head: bytesAsHex,
  rows: v.array(v.tuple([v.number(), bytesAsHex])),
});

/** The sealed records of the page's database. */
async function sealedRecords(page: Page): Promise<v.InferOutput<typeof records>> {
  const found = await page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
      });
    const hex = (bytes: Uint8Array): string =>
      Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const database = await done(indexedDB.open("svc-wallet"));
    const transaction = database.transaction(["vault", "records", "rows"]);
    const rows = transaction.objectStore("rows");
    const [vault, head, keys, sealedRows] = await Promise.all([
      done(transaction.objectStore("vault").get("vault")),
      done(transaction.objectStore("records").get("head")),
      done(rows.getAllKeys()),
      done(rows.getAll()),
    ]);
    database.close();
    const { header, passSlot, seed } = vault;
    const sealed = { header, passSlot: hex(passSlot), seed: hex(seed) };
    const pairs = keys.map((key, at) => [key, hex(sealedRows[at])]);
    return { vault: sealed, head: head === undefined ? "" : hex(head), rows: pairs };
  });
  return v.parse(records, found);
}

/** The decrypted records: their text, and the state they encode. */
function openedRecords(
  dataKey: Uint8Array,
  { head, rows }: v.InferOutput<typeof records>,
): { readonly text: string; readonly state: WalletState } {
  const open = (place: string, sealed: Uint8Array): Uint8Array => {
    const plain = openRecord(dataKey, utf8(`${place}/1`), sealed);
    if (plain === null) throw new Error(`${place} does not open`);
    return plain;
  };
  const opened = rows.map(([key, sealed]) => [key, open(`rows/${key}`, sealed)] as const);
  const plainHead = open("head", head);
  const parsed = new Map(opened.map(([key, bytes]) => [key, readRecord(key, bytes)]));
  const parts = [plainHead, ...opened.map(([, bytes]) => bytes)];
  const text = parts.map((bytes) => new TextDecoder().decode(bytes)).join("");
  return { text, state: readState(readHead(plainHead), parsed).state };
}

/** The key that the wallet's records are sealed with. */
function dataKeyOf(vault: v.InferOutput<typeof records>["vault"]): Uint8Array {
  const argon2id = (...[text, salt, memory, passes]: Parameters<typeof core.argon2id>) =>
    callCore(() => core.argon2id(text, salt, memory, passes));
  const { dataKey } = openVault(vault, new Secret(passphraseBytes(PASSPHRASE)), argon2id);
  return dataKey.reveal((bytes) => bytes.slice());
}

function amountNeedles(name: string, sompi: bigint): Needle[] {
  const [little, big] = [Buffer.alloc(8), Buffer.alloc(8)];
  little.writeBigUInt64LE(sompi);
  big.writeBigUInt64BE(sompi);
  const numbers = [
    { name: `${name}, as a number`, bytes: little },
    { name: `${name}, as a number, largest byte first`, bytes: big },
  ];
  const text = String(sompi);
  if (text.length < TELLING_DIGITS) throw new Error(`${name} is too short an amount: ${text}`);
  return [...numbers, { name: `${name}, as text`, bytes: utf8(text) }];
}

/** What must not be stored in clear: what the wallet has by its seed, and what it knows of its money. */
function needlesOf(
  seed: string,
  address: string,
  dataKey: Uint8Array,
  state: WalletState,
): Needle[] {
  const seedBytes = decodeHex(seed);
  const fvk = callCore(() => core.fullViewingKey(seedBytes));
  const [note] = state.notes;
  const [row] = state.history;
  if (note === undefined || row === undefined) throw new Error("the wallet has received nothing");
  const total = state.notes.reduce((sum, { value }) => sum + value, 0n);
  return [
    { name: "seed", bytes: seedBytes },
    { name: "data key", bytes: dataKey },
    { name: "full viewing key", bytes: fvk },
    { name: "incoming viewing key", bytes: callCore(() => core.incomingViewingKey(fvk)) },
    { name: "raw address", bytes: callCore(() => core.addressAt(fvk, 0)) },
    { name: "address", bytes: utf8(address) },
    { name: "address without its network", bytes: utf8(address.slice(address.indexOf(":") + 1)) },
    { name: "passphrase", bytes: utf8(PASSPHRASE) },
    { name: "a field of the records", bytes: utf8('"nextAddressIndex":') },
    { name: "seed of a note", bytes: decodeHex(note.rseed) },
    { name: "commitment of a note", bytes: decodeHex(note.cmx) },
    { name: "nullifier", bytes: decodeHex(note.nullifier) },
    { name: "transaction of the history", bytes: decodeHex(row.txid) },
    ...amountNeedles("value of a note", note.value),
    ...amountNeedles("balance", total),
  ];
}

test("stores nothing in clear of seed, keys, addresses, amounts and history", async () => {
  const { page, ...wallet } = await minedWallet();
  let opened: ReturnType<typeof openedRecords> | undefined;
  let dataKey = new Uint8Array();
  const hasHistory = async (): Promise<boolean> => {
    const sealed = await sealedRecords(page);
    if (dataKey.length === 0) dataKey = new Uint8Array(dataKeyOf(sealed.vault));
    opened = openedRecords(dataKey, sealed);
    return opened.state.history.length > 0;
  };
  await expect.poll(hasHistory).toBe(true);
  if (opened === undefined) throw new Error("nothing was opened");
  const { state, text } = opened;
  const needles = needlesOf(wallet.seed, wallet.address, dataKey, state);
  // They are what the wallet stores, under its seal.
  for (const hidden of [state.notes[0]?.rseed, state.notes[0]?.nullifier, "nextAddressIndex"]) {
    expect(text).toContain(hidden);
  }

  const { findings, stored } = await searchOrigin(page, needles);
  expect(findings).toEqual([]);
  expect(stored.indexedDB).toBeGreaterThan(1_000);

  // The search finds each of them wherever it is put on purpose.
  for (const needle of needles) {
    // oxlint-disable-next-line no-await-in-loop -- one page
    await plant(page, needle);
    // oxlint-disable-next-line no-await-in-loop
    const again = await searchOrigin(page, needles);
    const places = again.findings
      .filter(({ name }) => name === needle.name)
      .map(({ place }) => STORAGES.find((kind) => place.startsWith(kind)));
    expect(new Set(places), needle.name).toEqual(new Set(STORAGES));
  }
});

/** A wallet that has received money. */
async function minedWallet() {
  const wallet = await openWallet(scene, PASSPHRASE);
  const seed = await wallet.create();
  const address = await wallet.address();
  await wallet.mine();
  await wallet.sum("total");
  return { page: wallet.page, seed, address };
}
