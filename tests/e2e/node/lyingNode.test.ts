/** The ten worst lies of a node against the real page, in a real browser; and what the page asks (docs/privacy.md). */
import * as v from "valibot";
import { afterEach, describe, expect, test } from "vitest";
import { LyingProxy, recordsOf, refusing, tipOf } from "../testkit/lyingProxy.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import { WalletPage } from "../testkit/walletPage.ts";

/** What the test reads of a start. */
const begun = v.object({ hash: v.string(), daaScore: v.string() });

/** Every mined note has another value than its commitment: only its owner can see that. */
const FALSE_VALUES = recordsOf((records) =>
  records.map((record) => ({
    ...record,
    outputs: record.outputs.map((output) => ({
      ...output,
      value: (output.value + 1n) as typeof output.value,
    })),
  })),
);

const scene = setScene();
const open: LyingProxy[] = [];

afterEach(async () => {
  for (const proxy of open.splice(0)) await proxy.close();
});

async function proxied(): Promise<LyingProxy> {
  const proxy = await LyingProxy.before(scene.node.url);
  open.push(proxy);
  return proxy;
}

/** A browser without a wallet whose node is the proxy. */
async function openAt(proxy: LyingProxy): Promise<WalletPage> {
  return openWallet({ browser: scene.browser, node: proxy }, "a passphrase against lies");
}

/** A wallet with coins and its node, from which it has heard nothing but the truth, or has come right since. */
const owner = shareAmongTests(
  async () => {
    const proxy = await LyingProxy.before(scene.node.url);
    const wallet = await openAt(proxy);
    const seed = await wallet.create();
    expect(Number(await wallet.earn())).toBeGreaterThan(1);
    return { proxy, wallet, seed };
  },
  async ({ proxy, wallet }) => {
    await wallet.close();
    await proxy.close();
  },
);

async function says(wallet: WalletPage, text: RegExp): Promise<void> {
  await wallet.goTo("Home");
  await wallet.page.getByText(text).first().waitFor();
}

/** Words for a node that lies or is away. */
const COMPLAINTS =
  /served a false record|do not fit together|left a chain whose work|The node is on network|Needs attention|The node does not answer/;

/** The page lives and comes right: it is up to date, shows a sum again and complains of nothing. */
async function heals(wallet: WalletPage, proxy: LyingProxy): Promise<void> {
  proxy.repent();
  await wallet.ready();
  await wallet.sum("total");
  await wallet.page.getByText(COMPLAINTS).first().waitFor({ state: "detached" });
}

describe("a node that lies to the page", () => {
  test("about the value of a mined note: it is named, and a scan heals it", async () => {
    const { proxy, wallet } = await owner.get();
    proxy.tell(FALSE_VALUES);
    await says(wallet, /served a false record/);
    const before = proxy.asked.length;
    await expect.poll(() => proxy.asked.length - before).toBeGreaterThan(2);
    proxy.repent();
    await wallet.button("Scan from the beginning").click();
    await wallet.page.getByText(/served a false record/).waitFor({ state: "detached" });
    await heals(wallet, proxy);
  });

  test("with an error of our own: it counts as away, and nothing spins", async () => {
    const { proxy, wallet } = await owner.get();
    proxy.tell(refusing(/^\/v1\//, 503, "run/aborted"));
    await wallet.page.getByText("The node does not answer").first().waitFor({ state: "attached" });
    // How long it waits between two looks is shown by a clock of the test, in `walletLoop.test.ts`.
    const before = proxy.asked.length;
    await looks(proxy);
    expect(proxy.asked.length - before).toBeLessThan(40);
    await heals(wallet, proxy);
  });

  test("that our tree differs: no code of ours is taken from it", async () => {
    const { proxy, wallet } = await owner.get();
    const starts = () => proxy.asked.filter((line) => line.includes("/v1/start")).length;
    const before = starts();
    expect(before).toBeGreaterThan(0);
    proxy.tell(refusing(/^\/v1\/(?:tip|blocks)/, 409, "wallet/tree-mismatch"));
    await wallet.page.getByText("The node does not answer").first().waitFor({ state: "attached" });
    expect(starts()).toBe(before);
    await heals(wallet, proxy);
  });

  test("about the root of the note tree", async () => {
    const { proxy, wallet } = await owner.get();
    proxy.tell(tipOf({ treeRoot: "ab".repeat(32) }));
    await says(wallet, /do not fit together/);
    await heals(wallet, proxy);
  });

  test("that it knows no block", async () => {
    const { proxy, wallet } = await owner.get();
    proxy.tell(refusing(/^\/v1\/blocks/, 404, "chain/unknown-block"));
    await says(wallet, /do not fit together|left a chain whose work was shown/);
    await heals(wallet, proxy);
  });

  test("with an answer that does not end", async () => {
    const { proxy, wallet } = await owner.get();
    proxy.floodAt("/v1/tip");
    const words = wallet.page.getByText(/Needs attention|The node does not answer/).first();
    await words.waitFor({ state: "attached" });
    await heals(wallet, proxy);
  });

  test("about the network in the middle of a session", async () => {
    const { proxy, wallet } = await owner.get();
    proxy.tell(tipOf({ genesis: "ab".repeat(32) }));
    await says(wallet, /The node is on network/);
    await heals(wallet, proxy);
  });

  test("about the block at which a wallet begins: an honest node finds the place again", async () => {
    const proxy = await proxied();
    proxy.tell((path, answer) => {
      if (!path.startsWith("/v1/start")) return answer;
      const start: object = JSON.parse(answer.body.toString());
      const body = Buffer.from(JSON.stringify({ ...start, hash: "bb".repeat(32) }));
      return { ...answer, body };
    });
    const wallet = await openAt(proxy);
    const creating = wallet.create();
    await expect
      .poll(() => proxy.asked.filter((line) => line.includes("bbbb")).length)
      .toBeGreaterThan(0);
    proxy.repent();
    await creating;
    await wallet.mine();
    await heals(wallet, proxy);
    await wallet.close();
  });

  test("about its history: every sum is an at least", async () => {
    // Another wallet has mined: the chain has a block to begin at.
    await owner.get();
    const proxy = await proxied();
    const later = await fetch(`${scene.node.url}/v1/start?index=3`);
    const body = Buffer.from(await later.arrayBuffer());
    const { hash, daaScore } = v.parse(begun, JSON.parse(body.toString()));
    const tells = tipOf({ historyComplete: false, historyFromDaaScore: daaScore });
    // What a node says that began at this block and has no history before it.
    proxy.tell((path, answer) => {
      if (/^\/v1\/start\?index=[012]$/.test(path)) return { status: 200, body };
      return tells(path, answer);
    });
    const wallet = await openAt(proxy);
    await wallet.create();
    await wallet.mine();
    expect(Number(await wallet.sum("total"))).toBeGreaterThan(1);
    await wallet.page.getByTestId("at-least").waitFor();
    expect(proxy.asked.some((line) => line.includes(`after=${hash}`))).toBe(true);
    await wallet.close();
  });

  test("about a payment: what it refuses may still go through, and a second try shares a note", async () => {
    const { proxy, wallet } = await owner.get();
    const other = await openAt(proxy);
    await other.create();
    const to = await other.address();
    proxy.withhold(/^\/v1\/tx/, 422, "shielded/proof-invalid");
    await wallet.beginPayment({ to, amount: "0.5", memo: "kept back" });
    await wallet.page
      .getByRole("heading", { name: "Refused by this node: it may still go through" })
      .waitFor();
    await wallet.button("Back to the payment").click();
    await wallet.goTo("Send");
    await wallet.page.getByLabel("To", { exact: true }).fill(to);
    await wallet.page.getByLabel("Amount", { exact: true }).fill("0.5");
    await wallet.button("Review").click();
    await wallet.page.getByText("You have paid this address before").waitFor();
    // The node that refused it passes it on after all.
    await proxy.handOver();
    await other.goTo("History");
    await other.row("+0.5", "kept back").waitFor();
    await wallet.goTo("History");
    await wallet.page.getByRole("radio", { name: "Sent" }).check();
    await wallet.row("−0.5", "kept back").waitFor();
    await other.close();
    await heals(wallet, proxy);
  });
});

/** The looks at the node after which a page that stands still has asked all it will ask. */
const LOOKS = 4;

/** Waits for some more looks at the tip. */
async function looks(proxy: LyingProxy): Promise<void> {
  const count = () => proxy.asked.filter((line) => line.startsWith("GET /v1/tip")).length;
  const before = count();
  await expect.poll(() => count() - before).toBeGreaterThanOrEqual(LOOKS);
}

/** Payments that chance draws, one page in 64, are asked for whole. A key has no part in it (`drawPayment.test.ts`). */
const DRAWN = /^GET \/v1\/evidence\/payload/;

/** All that was asked of a node until now, without what chance asks for. */
function setOf({ asked }: LyingProxy): readonly string[] {
  return [...new Set(asked)].filter((line) => !DRAWN.test(line)).toSorted();
}

/** A wallet that is restored from a seed in a browser of its own, and has asked all that it asks of a chain that stands still. */
async function watch(seed: string, lies: boolean) {
  const proxy = await proxied();
  if (lies) proxy.tell(FALSE_VALUES);
  const fresh = await scene.browser.newContext();
  const page = await WalletPage.open(fresh, proxy.url, "a passphrase of a watcher");
  const restoring = page.restore(seed).catch(() => undefined);
  // A lie that evidence brings to light lets nobody become up to date.
  if (!lies) await restoring;
  await expect.poll(() => questions(proxy).length).toBeGreaterThan(1);
  await looks(proxy);
  if (!lies) {
    await page.reload();
    await looks(proxy);
  }
  const end = async (): Promise<void> => {
    await fresh.close();
    await restoring;
  };
  return { proxy, page, end };
}

/** The questions about blocks, in their order and with repeats. */
function questions({ asked }: LyingProxy): readonly string[] {
  return asked.filter((line) => /^GET \/v1\/(?:blocks|start)/.test(line));
}

describe("what the page asks", () => {
  test("is the same, byte for byte, for the owner of coins and for a stranger", async () => {
    const { seed: ownerSeed } = await owner.get();
    await owner.drop();
    const strangerSeed = ownerSeed.replace(/^./, (digit) => (digit === "1" ? "2" : "1"));
    // From here on the chain stands still, so that all see the same one.
    await scene.node.freeze();
    for (const lies of [false, true]) {
      const own = await watch(ownerSeed, lies);
      if (lies) await says(own.page, /served a false record|other mined coins/);
      else expect(Number(await own.page.sum("total"))).toBeGreaterThan(0);
      const other = await watch(strangerSeed, lies);
      expect(questions(own.proxy).some((line) => line.includes("/v1/blocks?after="))).toBe(true);
      // What one of them alone asks stays in the set of that one.
      await expect.poll(() => setOf(own.proxy)).toEqual(setOf(other.proxy));
      // A lie that evidence brings to light is asked for again and again: whoever is watched longer asks more often.
      const [blocks, others] = [questions(own.proxy), questions(other.proxy)];
      const asked = Math.min(blocks.length, others.length);
      expect(blocks.slice(0, asked)).toEqual(others.slice(0, asked));
      for (const { end } of [own, other]) await end();
    }
  });
});
