/**
 * The wallets of one browser profile over the IndexedDB of a real browser: the wallet of before stays where it is, a liar alters the
 * list, a flood fills it, and tabs die between a database and its name in the list.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { decodeWalletState, encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { openRecord } from "@svc/web/keyring/sealedRecord.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import {
  databaseOf,
  FIRST_WALLET,
  newWalletId,
} from "@svc/web/wallet-worker/wallets/walletList.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { callStore, killStoreAfter, StoreServer } from "./storeServer.ts";

const OLD_STORE = fileURLToPath(
  new URL("../../fixtures/wallets/browser-store-1.json", import.meta.url),
);
/** Milliseconds after which the worker is ended; each is another place in what it does. */
const KILLS = [0, 1, 2, 4, 6, 10, 20, 40, 80];

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

type Entry = { readonly id: string; readonly name: string; readonly number: number };
type Seen = {
  readonly list: readonly Entry[];
  readonly current: string | null;
  readonly beside: string | null;
  /** Header of the vault whose store is open. */
  readonly open: string | null;
};

function call(name: string, ...args: readonly unknown[]): Promise<unknown> {
  return callStore(page, `wallets.${name}`, ...args);
}

function seen(found: unknown): Seen {
  const { list, current, beside, open } = Object(found);
  return { list, current, beside, open };
}

async function enter(): Promise<Seen> {
  return seen(await call("enter"));
}

async function view(): Promise<Seen> {
  return seen(await call("view"));
}

/** A browser with the wallet that an earlier program made, and one more. Gives the id of that one. */
async function twoWallets(): Promise<string> {
  await call("single", "old");
  await enter();
  await call("begin");
  await call("add", "new");
  return (await view()).current ?? "";
}

/** Whose vault is in the store of each listed wallet. */
async function vaults(): Promise<readonly (string | null)[]> {
  const { list } = await enter();
  const found: (string | null)[] = [];
  for (const { id } of list) {
    await call("choose", id);
    found.push((await view()).open);
  }
  return found;
}

describe("the wallet that an earlier program made", () => {
  test("keeps its database and becomes the first of the list", async () => {
    await call("single", "old");
    const entry = { id: FIRST_WALLET, name: "", number: 1 };
    expect(await enter()).toEqual({
      list: [entry],
      current: FIRST_WALLET,
      beside: null,
      open: "old",
    });
    expect(await call("stored")).toEqual({ version: 1, wallets: [entry], last: null });
    expect(await call("databases")).toEqual(["svc-wallet", "svc-wallets"]);
  });

  test("is there whole when it was stored by the first version, and others come beside it", async () => {
    const stored = JSON.parse(readFileSync(OLD_STORE, "utf8"));
    await call("single");
    await callStore(page, "put", stored);
    expect(await call("seal", "old")).toBe(1);
    expect(await enter()).toMatchObject({ list: [{ id: FIRST_WALLET }], open: "old" });
    await call("begin");
    await call("add", "new");
    await call("remove", (await view()).current);
    expect(await enter()).toMatchObject({ list: [{ id: FIRST_WALLET }], open: "old" });
    await call("leave");
    const place = new TextEncoder().encode("state/1");
    const plain = openRecord(decodeHex(stored.dataKey), place, decodeHex(stored.records.state));
    const { state, form } = Object(await callStore(page, "load"));
    expect(form).toBe("whole");
    const before = decodeWalletState(new TextDecoder().decode(plain ?? new Uint8Array()));
    expect(state).toBe(encodeWalletState(before));
  });

  test("is not replaced by a new one", async () => {
    await call("single", "old");
    await enter();
    await expect(call("add", "other")).rejects.toThrow("wallet/exists");
    expect(await enter()).toMatchObject({ open: "old" });
  });

  test("is the one that a browser without wallets gets first", async () => {
    await call("single");
    expect(await enter()).toEqual({ list: [], current: FIRST_WALLET, beside: null, open: null });
    await call("add", "mine");
    expect(await enter()).toMatchObject({ list: [{ id: FIRST_WALLET, number: 1 }], open: "mine" });
  });
});

describe("several wallets", () => {
  test("have a database each, and the one that was open last is open again", async () => {
    const id = await twoWallets();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await enter()).toMatchObject({ current: id, open: "new" });
    await call("choose", FIRST_WALLET);
    expect(await enter()).toMatchObject({ current: FIRST_WALLET, open: "old" });
    expect(await vaults()).toEqual(["old", "new"]);
    const names = ["svc-wallet", databaseOf(id), "svc-wallets"];
    expect(await call("databases")).toEqual(names.toSorted());
  });

  test("have names that outlive the tab", async () => {
    const id = await twoWallets();
    await call("rename", id, "  Savings ");
    expect((await enter()).list).toEqual([
      { id: FIRST_WALLET, name: "", number: 1 },
      { id, name: "Savings", number: 2 },
    ]);
  });

  test("are removed one by one: the current one alone, and nothing of another", async () => {
    const id = await twoWallets();
    await expect(call("remove", FIRST_WALLET)).rejects.toThrow("wallet/no-wallet");
    expect(await vaults()).toEqual(["old", "new"]);
    await call("choose", FIRST_WALLET);
    await call("remove", FIRST_WALLET);
    expect(await enter()).toMatchObject({ list: [{ id, number: 2 }], current: id, open: "new" });
    expect(await call("databases")).toEqual([databaseOf(id), "svc-wallets"].toSorted());
    await call("remove", id);
    expect(await enter()).toMatchObject({ list: [], current: FIRST_WALLET, open: null });
  });

  test("stay as they are while a new one is thought about, and given up", async () => {
    const id = await twoWallets();
    await call("begin");
    expect(await view()).toMatchObject({ current: null, beside: id, open: null });
    await call("choose", id);
    expect(await view()).toMatchObject({ current: id, beside: null, open: "new" });
    expect(await vaults()).toEqual(["old", "new"]);
  });

  test("that cannot be opened do not keep the others shut", async () => {
    const id = await twoWallets();
    await call("leave");
    await call("newer", id);
    expect(await enter()).toMatchObject({ list: [{}, { id }], current: FIRST_WALLET, open: "old" });
    await expect(call("choose", id)).rejects.toThrow("store/version");
    expect(await view()).toMatchObject({ current: FIRST_WALLET, open: "old" });
    await expect(call("choose", newWalletId())).rejects.toThrow("wallet/no-wallet");
  });

  test("are closed in a tab that loses them in the middle of an opening", async () => {
    await twoWallets();
    for (const what of ["choose", "enter"]) {
      await enter();
      expect(await call("leaveWhile", what, FIRST_WALLET)).toContain("wallet/locked");
      expect(await view()).toMatchObject({ current: null, open: null });
      await expect(call("choose", FIRST_WALLET)).rejects.toThrow("wallet/locked");
      await expect(call("begin")).rejects.toThrow("wallet/locked");
    }
    expect(await vaults()).toEqual(["old", "new"]);
  });

  test("are not opened by a tab that loses them in the middle of a removal", async () => {
    await twoWallets();
    expect(await call("leaveWhile", "remove")).toContain("wallet/locked");
    expect(await view()).toMatchObject({ current: null, open: null });
    expect(await vaults()).toEqual(["old"]);
  });

  test("are all found where the list cannot be read, which stays as it is", async () => {
    const id = await twoWallets();
    await call("leave");
    await call("unreadable");
    expect(await enter()).toMatchObject({ list: [{ id: FIRST_WALLET }, { id }], open: "old" });
    expect(await vaults()).toEqual(["old", "new"]);
  });
});

describe("liar: whoever alters the stored list", () => {
  test.each<readonly [string, unknown]>([
    ["takes it away", undefined],
    ["writes text", "no list"],
    ["takes a wallet out", { version: 1, wallets: [], last: null }],
    [
      "names databases of something else",
      { version: 1, wallets: [{ id: "../svc-derived", name: "", number: 1 }], last: "x" },
    ],
  ])("and %s loses no wallet", async (_, stored) => {
    await twoWallets();
    await call("alter", stored);
    expect(await vaults()).toEqual(["old", "new"]);
  });

  test("and names many that are not there hides none, and makes none", async () => {
    const id = await twoWallets();
    const wallets = Array.from({ length: 200 }, (__, index) => ({
      id: newWalletId(),
      name: "fake",
      number: index + 1,
    }));
    await call("alter", { version: 1, wallets, last: wallets[3]?.id });
    expect(await vaults()).toEqual(["old", "new"]);
    const names = ["svc-wallet", databaseOf(id), "svc-wallets"];
    expect(await call("databases")).toEqual(names.toSorted());
  });

  test("of a newer form is told so, and nothing is written over it", async () => {
    await twoWallets();
    const newer = { version: 2, wallets: [], last: null };
    await call("alter", newer);
    await expect(call("enter")).rejects.toThrow("store/version");
    expect(await call("stored")).toEqual(newer);
  });
});

test("flood: one wallet more than the bound is not made, and none is lost", async () => {
  await call("single", "0");
  await enter();
  for (let index = 1; index < PAGE_LIMITS.walletsMax; index += 1) {
    await call("begin");
    await call("add", String(index));
  }
  await expect(call("begin")).rejects.toThrow("codec/count-too-large");
  const all = Array.from({ length: PAGE_LIMITS.walletsMax }, (_, index) => String(index));
  expect(await vaults()).toEqual(all);
});

describe("kill: a tab that dies", () => {
  test("between the name of a new wallet and its database leaves the others, and no name of nothing", async () => {
    const id = await twoWallets();
    const lost = { id: newWalletId(), name: "", number: 3 };
    const stored = Object(await call("stored"));
    const wallets = [...stored.wallets, lost];
    await call("alter", { ...stored, wallets, last: lost.id });
    expect((await enter()).list.map((entry) => entry.id)).toEqual([FIRST_WALLET, id]);
    expect(await vaults()).toEqual(["old", "new"]);
  });

  test("between its database and its vault leaves no orphan", async () => {
    const id = await twoWallets();
    for (const isNamed of [true, false]) {
      const lost = newWalletId();
      await call("plant", lost);
      if (isNamed) {
        const stored = Object(await call("stored"));
        const wallets = [...stored.wallets, { id: lost, name: "", number: 9 }];
        await call("alter", { ...stored, wallets });
      }
      expect(await vaults()).toEqual(["old", "new"]);
      expect(await call("databases")).not.toContain(databaseOf(lost));
    }
    expect((await enter()).list.map((entry) => entry.id)).toEqual([FIRST_WALLET, id]);
  });

  test("after the vault of a wallet that no list names loses nothing: the next start lists it", async () => {
    const id = await twoWallets();
    const orphan = newWalletId();
    await call("plant", orphan, "orphan");
    expect((await enter()).list.map((entry) => entry.id)).toEqual([FIRST_WALLET, id, orphan]);
    expect(await vaults()).toEqual(["old", "new", "orphan"]);
  });

  test("between the removal of a database and that of its name leaves the others", async () => {
    const id = await twoWallets();
    await call("leave");
    await call("uproot", id);
    expect(await enter()).toMatchObject({ list: [{ id: FIRST_WALLET }], open: "old" });
    expect(await call("stored")).toMatchObject({ wallets: [{ id: FIRST_WALLET }] });
  });

  test("at any moment of an adding or a removal: each wallet is whole or was never there", async () => {
    for (const ms of KILLS) {
      await twoWallets();
      await call("begin");
      await killStoreAfter(page, "wallets.addThird", ms);
      const found = await vaults();
      expect(found.slice(0, 2)).toEqual(["old", "new"]);
      expect([[], ["third"]]).toContainEqual(found.slice(2));
      const last = (await enter()).list.at(-1)?.id ?? "";
      await call("choose", last);
      await killStoreAfter(page, "wallets.removeCurrent", ms);
      const left = await vaults();
      expect(left[0]).toBe("old");
      expect([found.length, found.length - 1]).toContain(left.length);
      expect(await call("databases")).toHaveLength(left.length + 1);
    }
  });
});
