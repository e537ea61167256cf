/** Tests of the page's client of the wallet workers, with fake workers. */
import { expose } from "comlink";
import { afterEach, expect, test, vi } from "vitest";
import type { WalletApi, Snapshot } from "../wallet-api/walletApi.ts";
import { startSnapshot } from "../wallet-api/startSnapshot.ts";
import { WalletClient } from "./walletClient.ts";

/** What happened to the workers, in order. */
type Log = string[];

/** A worker that is an object behind a port. */
function fakeWorkers(apis: { readonly [name: string]: (log: Log) => object }, log: Log) {
  return class {
    readonly #name: string;
    readonly #ends = new MessageChannel();

    constructor(_: URL, { name }: { readonly name: string }) {
      this.#name = name;
      const api = apis[name]?.(log);
      expose(api, this.#ends.port2);
      this.#ends.port1.start();
      log.push(`${name} starts`);
    }

    postMessage(message: unknown, transfer: Transferable[] = []): void {
      this.#ends.port1.postMessage(message, transfer);
    }

    addEventListener(type: string, listener: EventListener): void {
      if (type === "message") this.#ends.port1.addEventListener(type, listener);
    }

    removeEventListener(type: string, listener: EventListener): void {
      this.#ends.port1.removeEventListener(type, listener);
    }

    terminate(): void {
      log.push(`${this.#name} ends`);
      this.#ends.port1.close();
    }
  };
}

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["that another one took the wallet from forgets its keys, and can take the wallet back", "moved"],
  ["whose wallet cannot go on forgets its keys", "broken"],
  ["whose wallet another one locked forgets its keys", "locked"],
] as const)("a tab %s", async (_, access) => {
  const log: Log = [];
  const replaced = Promise.withResolvers<void>();
  let tell: (snapshot: Snapshot) => Promise<void> = async () => undefined;
  const wallet: Pick<WalletApi, "start" | "replaceKeyring"> = {
    start: async (_, listener) => {
      tell = async (snapshot) => listener(snapshot);
    },
    replaceKeyring: async () => {
      log.push("wallet has a keyring");
      replaced.resolve();
    },
  };
  const keyring = {
    connect: () => undefined,
    lock: () => void log.push("keyring locks"),
  };
  vi.stubGlobal("Worker", fakeWorkers({ wallet: () => wallet, keyring: () => keyring }, log));
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("location", { search: "", origin: "http://node.test" });
  const client = new WalletClient();
  await client.start();
  log.length = 0;
  const seed = new Uint8Array(32).fill(7);
  client.backUp(seed);

  const snapshot = startSnapshot("http://node.test");
  await tell({ ...snapshot, access: "open" });
  expect(log).toEqual([]);
  await tell({ ...snapshot, access });
  await replaced.promise;
  const expected = ["keyring locks", "keyring starts", "keyring ends", "wallet has a keyring"];
  expect(log).toEqual(expected);
  expect(seed).toEqual(new Uint8Array(32));
  expect(client.freshSeed()).toBeNull();

  await tell({ ...snapshot, access });
  await tell({ ...snapshot, access: "locked" });
  expect(log).toEqual(expected);
});

test("a lock of this page takes the keys once, however late the worker tells of it", async () => {
  const log: Log = [];
  let tell: (snapshot: Snapshot) => Promise<void> = async () => undefined;
  const wallet: Pick<WalletApi, "start" | "replaceKeyring" | "lock"> = {
    start: async (_, listener) => {
      tell = async (snapshot) => listener(snapshot);
    },
    replaceKeyring: async () => void log.push("wallet has a keyring"),
    lock: async () => void log.push("wallet locks"),
  };
  const keyring = { connect: () => undefined, lock: () => void log.push("keyring locks") };
  vi.stubGlobal("Worker", fakeWorkers({ wallet: () => wallet, keyring: () => keyring }, log));
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("location", { search: "", origin: "http://node.test" });
  const client = new WalletClient();
  await client.start();
  const snapshot = startSnapshot("http://node.test");
  await tell({ ...snapshot, access: "open" });
  log.length = 0;
  await client.lock();
  await tell({ ...snapshot, access: "open" });
  await tell({ ...snapshot, access: "locked" });
  expect(log.filter((line) => line === "keyring locks")).toHaveLength(1);
  expect(log.filter((line) => line === "keyring ends")).toHaveLength(1);
});

test.each([
  [
    "an open wallet ends its keys first",
    "open",
    ["keyring locks", "wallet locks", "keyring starts", "keyring ends", "wallet has a keyring"],
  ],
  ["a locked one keeps the count of wrong passphrases", "locked", ["keyring locks"]],
] as const)("a switch from %s", async (_, access, before) => {
  const log: Log = [];
  let tell: (snapshot: Snapshot) => Promise<void> = async () => undefined;
  const wallet: Pick<WalletApi, "start" | "replaceKeyring" | "lock" | "chooseWallet"> = {
    start: async (_, listener) => {
      tell = async (snapshot) => listener(snapshot);
    },
    replaceKeyring: async () => void log.push("wallet has a keyring"),
    lock: async () => void log.push("wallet locks"),
    chooseWallet: async (id) => void log.push(`wallet takes ${id}`),
  };
  const keyring = { connect: () => undefined, lock: () => void log.push("keyring locks") };
  vi.stubGlobal("Worker", fakeWorkers({ wallet: () => wallet, keyring: () => keyring }, log));
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("location", { search: "", origin: "http://node.test" });
  vi.stubGlobal("history", { replaceState: () => undefined });
  const client = new WalletClient();
  await client.start();
  await tell({ ...startSnapshot("http://node.test"), access });
  log.length = 0;
  await client.chooseWallet("first");
  expect(log).toEqual([...before, "wallet takes first"]);
});
