/** The wallet's store over the IndexedDB of a real browser: its contract, its migration, kills in the middle, damage. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { decodeWalletState, encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { STORE_CASES } from "@svc/shared/wallet/testkit/storeContract.ts";
import { openRecord } from "@svc/web/keyring/sealedRecord.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { callStore, killStoreAfter, StoreServer } from "./storeServer.ts";

const OLD_STORE = fileURLToPath(
  new URL("../../fixtures/wallets/browser-store-1.json", import.meta.url),
);
const NOTES = 2_000;
/** Milliseconds after which the worker is ended; each is another place in what it does. */
const KILLS = [0, 2, 5, 10, 20, 40, 80, 160];

let server: StoreServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  server = await StoreServer.start();
  browser = await launchBrowser();
});

beforeEach(async () => {
  ({ page } = await openPage(await browser.newContext(), server.url));
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

type Loaded = { readonly state: string; readonly form: string };

async function load(): Promise<Loaded> {
  const found = Object(await callStore(page, "load"));
  return { state: String(found.state), form: String(found.form) };
}

/** The stored records of an earlier program version, and the state they encode. */
function oldStore() {
  const stored = JSON.parse(readFileSync(OLD_STORE, "utf8"));
  const place = new TextEncoder().encode("state/1");
  const plain = openRecord(decodeHex(stored.dataKey), place, decodeHex(stored.records.state));
  if (plain === null) throw new Error("the fixture does not open");
  return { stored, state: decodeWalletState(new TextDecoder().decode(plain)) };
}

/** The state with another next address. */
function withNextAddress(json: string, nextAddressIndex: number): string {
  const state = decodeWalletState(json);
  return encodeWalletState({ ...state, account: { ...state.account, nextAddressIndex } });
}

test.each(STORE_CASES)("the browser's store $name", async ({ name }) => {
  await callStore(page, "rule", name);
});

describe("a wallet of one record", () => {
  test("is brought into rows by the first commit, and nothing of it is lost", async () => {
    const { stored, state } = oldStore();
    await callStore(page, "put", stored);
    const first = await load();
    expect(first).toEqual({ state: encodeWalletState(state), form: "whole" });
    const second = await load();
    expect(second.form).toBe("rows");
    const next = state.account.nextAddressIndex + 1;
    expect(second.state).toBe(withNextAddress(first.state, next));
  });

  test("is there in one of both forms, whenever its tab is closed", async () => {
    const { stored, state } = oldStore();
    const forms = new Set<string>();
    for (const ms of KILLS) {
      await callStore(page, "put", stored);
      await killStoreAfter(page, "load", ms);
      // The key of the fixture went with the worker.
      await callStore(page, "key", stored.dataKey);
      const found = await load();
      forms.add(found.form);
      const known = found.form === "whole" ? 0 : 1;
      const next = state.account.nextAddressIndex + known;
      expect(found.state).toBe(withNextAddress(encodeWalletState(state), next));
    }
    expect(forms.size).toBeGreaterThan(0);
  });
});

describe("a wallet of rows", () => {
  beforeEach(async () => {
    await callStore(page, "fill", NOTES);
  });

  test("has its state before a commit or after it, whenever its tab is closed", async () => {
    for (const ms of KILLS) {
      await callStore(page, "open");
      const before = decodeWalletState((await load()).state);
      await callStore(page, "open");
      await killStoreAfter(page, "block", ms);
      const after = decodeWalletState((await load()).state);
      const blocks = Number(
        (after.blocks.at(-1)?.chainIndex ?? 0n) - (before.blocks.at(-1)?.chainIndex ?? 0n),
      );
      expect([0, 1]).toContain(blocks);
      expect(after.notes.length - before.notes.length).toBe(blocks);
      expect(after.history.length - before.history.length).toBe(blocks * 2);
      // The tree ends at the last block: the wallet opens.
      await callStore(page, "open");
    }
  });

  test.each(["missing", "changed", "swapped", "head"])(
    "says that it is damaged: %s",
    async (kind) => {
      await callStore(page, "damage", kind);
      await expect(callStore(page, "load")).rejects.toThrow("store/corrupt");
      // Nothing was changed by looking.
      await expect(callStore(page, "load")).rejects.toThrow("store/corrupt");
    },
  );

  test("shows a reader without the key records of one length", async () => {
    const sizes = Object(await callStore(page, "sizes"));
    const rows: readonly number[] = sizes.rows;
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(rows).size).toBe(1);
  });
});
