/** The main flow in a browser of another engine: two wallets, a payment with a memo, reloads. */
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FirefoxWallet, launchFirefox } from "./firefoxWallet.ts";
import { LocalNode } from "../testkit/localNode.ts";

const AMOUNT = "0.5";
const MEMO = "from Firefox, äöü ✓";

let node: LocalNode;
let browser: Browser;
beforeAll(async () => {
  node = await LocalNode.create();
  await node.start();
  browser = await launchFirefox();
});
afterAll(async () => {
  await browser?.close();
  await node?.dispose();
});

describe("Firefox", () => {
  test("makes wallets, mines, pays and receives, and keeps it over a reload", async () => {
    const alice = await FirefoxWallet.open(
      await browser.createBrowserContext(),
      node.url,
      "a passphrase of Alice",
    );
    const bob = await FirefoxWallet.open(
      await browser.createBrowserContext(),
      node.url,
      "a passphrase of Bob",
    );
    expect(await alice.create()).toMatch(/^[0-9a-f]{64}$/);
    await bob.create();
    await alice.mine();
    expect(Number(await alice.sum("spendable"))).toBeGreaterThan(Number(AMOUNT));
    await alice.pay({ to: await bob.address(), amount: AMOUNT, memo: MEMO });
    await bob.row(`+${AMOUNT}`, MEMO);
    expect(await bob.sum("total")).toBe(AMOUNT);
    await alice.row(`−${AMOUNT}`, MEMO);
    await bob.reload();
    await bob.row(`+${AMOUNT}`, MEMO);
    expect(await bob.sum("total")).toBe(AMOUNT);
    expect([...alice.faults, ...bob.faults]).toEqual([]);
  });
});
