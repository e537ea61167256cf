/** The wallet beside a node that does not fit, is away, mines, or serves its pages, as the browser review looked at it (B1, B10, B13). */
import { createHash } from "node:crypto";
import type { Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";

const PASSPHRASE = "four unrelated words here";

const scene = setScene();

/** A wallet with coins, open and up to date, to which the node mines; each test leaves it so. */
const owner = shareAmongTests(
  async () => {
    const wallet = await openWallet(scene, PASSPHRASE);
    await wallet.create();
    await wallet.earn();
    return { wallet };
  },
  ({ wallet }) => wallet.close(),
);

describe("a wallet and a node that do not fit", () => {
  test("B1: the page says in plain words what is wrong and offers the one button that helps", async () => {
    const { wallet } = await owner.get();
    const context = wallet.page.context();
    // The node no longer knows any block of the wallet's.
    const unknown = { error: "unknown", code: "chain/unknown-block", hash: "ab".repeat(32) };
    let isUnknown = true;
    const held: Route[] = [];
    const answer = async (route: Route): Promise<void> => {
      if (isUnknown) await route.fulfill({ status: 404, json: unknown });
      else held.push(route);
    };
    await context.route("**/v1/blocks?*", answer);
    await context.route("**/v1/start?*", answer);
    await wallet.goTo("Home");
    const words = wallet.page.getByText("The wallet and the node do not fit together");
    await words.waitFor();
    // No hash and no code: what is wrong is told in words.
    expect(await wallet.page.getByText(/is unknown/).count()).toBe(0);
    // From here on the node answers, but not before the click: the page asks again by itself, and would come right.
    isUnknown = false;
    await wallet.button("Scan from the beginning").click();
    await context.unrouteAll({ behavior: "ignoreErrors" });
    await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
    await wallet.ready();
    await words.waitFor({ state: "detached" });
  });

  test("without the network the wallet waits for its node, and goes on once it answers", async () => {
    const { wallet } = await owner.get();
    const context = wallet.page.context();
    await wallet.goTo("Home");
    await context.setOffline(true);
    await wallet.page.getByText("Waits for the node").waitFor();
    await context.setOffline(false);
    await wallet.ready();
  });
});

test("B10: mining to the wallet is told whichever address is shown, and can be stopped", async () => {
  const { wallet } = await owner.get();
  await wallet.goTo("Receive");
  const mining = wallet.page.getByText("The local node mines to this wallet", { exact: false });
  await mining.waitFor();
  await wallet.button("New address").click();
  await wallet.page.getByText("Address 2").first().waitFor();
  expect(await mining.count()).toBe(1);
  await wallet.goTo("Home");
  await wallet.goTo("Receive");
  await mining.waitFor();
  await wallet.button("Stop mining to it").click();
  await wallet.button("Mine to this wallet").waitFor();
  expect(await mining.count()).toBe(0);
  await wallet.mine();
  await mining.waitFor();
});

test("locking ends the keyring's thread and begins with a fresh one", async () => {
  const { wallet } = await owner.get();
  const faultsBefore = wallet.watch.faults.length;
  const keyrings = () => wallet.page.workers().filter((worker) => /keyring/.test(worker.url()));
  const [before] = keyrings();
  if (before === undefined) throw new Error("no keyring runs");
  const ended = before.waitForEvent("close");
  await wallet.goTo("Settings");
  await wallet.button("Lock now").click();
  await ended;
  await wallet.unlock();
  await wallet.ready();
  expect(keyrings()).toHaveLength(1);
  expect(keyrings()).not.toContain(before);
  expect(wallet.watch.faults.slice(faultsBefore)).toEqual([]);
});

test("the About page shows the hash of every file that the node serves", async () => {
  const { wallet } = await owner.get();
  await wallet.goTo("Settings");
  const list = await (await fetch(`${scene.node.url}/hashes.json`)).text();
  const whole = createHash("sha256").update(list).digest("hex");
  await wallet.page.getByText(whole).waitFor();
  const hashes: Record<string, string> = JSON.parse(list);
  await wallet.page
    .getByText(`${Object.keys(hashes).length} files with their SHA-256`)
    .first()
    .click();
  const shown = await wallet.page.getByTestId("file-hash").allInnerTexts();
  expect(shown).toEqual(Object.values(hashes));
  for (const [path, hash] of Object.entries(hashes)) {
    if (path === "/headers.json") continue;
    const served = await fetch(scene.node.url + path.replace(/index\.html$/, ""));
    const bytes = new Uint8Array(await served.arrayBuffer());
    expect(createHash("sha256").update(bytes).digest("hex"), path).toBe(hash);
  }
});

test("a node that the build does not list is never asked, whatever is stored, and that is said in words", async () => {
  const { wallet } = await owner.get();
  await wallet.page.evaluate(() => {
    const evil = "https://evil.example";
    const wish = { version: 2, followed: evil, second: evil, added: [evil] };
    localStorage.setItem("svc.nodes", JSON.stringify(wish));
  });
  await wallet.reload();
  await wallet.goTo("Settings");
  expect(await wallet.page.getByTestId("node").getByRole("heading").allInnerTexts()).toEqual([
    scene.node.url,
  ]);
  await wallet.page.getByText(`These pages were built to talk to ${scene.node.url} only`).waitFor();
  expect(wallet.watch.strangers).toEqual([]);
});
