/**
 * The checks on the explorer's own pages, before a real node with an index: as it is, and with a proxy that lies, from the beginning or
 * once the check is done.
 */
import * as v from "valibot";
import { afterAll, describe, expect, test } from "vitest";
import { openPage, type PageWatch } from "../testkit/browser.ts";
import { LyingProxy, type LieAt } from "../testkit/lyingProxy.ts";
import { setScene } from "../testkit/scene.ts";

const scene = setScene();
const proxies: LyingProxy[] = [];

afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));

const recent = v.array(
  v.object({
    block_hash: v.string(),
    isChainBlock: v.boolean(),
    txs: v.array(v.object({ txId: v.string() })),
  }),
);

/** A block of the chain with blocks above it, and its coinbase. */
async function deepBlock(): Promise<{ hash: string; coinbase: string }> {
  for (;;) {
    const answer = await fetch(`${scene.node.url}/api/blocks/recent?limit=20`);
    const found = v.parse(recent, await answer.json()).filter((one) => one.isChainBlock)[3];
    const coinbase = found?.txs[0]?.txId;
    if (found !== undefined && coinbase !== undefined) {
      return { hash: found.block_hash, coinbase };
    }
  }
}

/** The verdict on a page, with the steps that differ. */
async function verdictOn(
  path: string,
  lie: LieAt = (_, answer) => answer,
): Promise<{ verdict: string; differing: readonly string[]; watch: PageWatch }> {
  const proxy = await LyingProxy.before(scene.node.url);
  proxies.push(proxy);
  proxy.tell(lie);
  const { page, watch } = await openPage(
    await scene.browser.newContext(),
    `${proxy.url}/explorer${path}`,
  );
  const shown = page.getByTestId("check-verdict").first();
  await shown.waitFor();
  const verdict = (await shown.getAttribute("data-verdict")) ?? "";
  const rows = page.locator('tr[data-outcome="differs"]');
  const differing = await rows.evaluateAll((list) =>
    list.map((row) => row.getAttribute("data-step") ?? ""),
  );
  await page.context().close();
  return { verdict, differing, watch };
}

describe("the explorer's pages", () => {
  test("show a block as checked, and complain of nothing", async () => {
    const { hash } = await deepBlock();
    const { verdict, differing, watch } = await verdictOn(`/blocks/${hash}`);
    expect([verdict, differing]).toEqual(["ok", []]);
    expect(watch).toEqual({ faults: [], strangers: [] });
  });

  test("show a coinbase as checked", async () => {
    const { coinbase } = await deepBlock();
    const { verdict, differing } = await verdictOn(`/transactions/${coinbase}`);
    expect([verdict, differing]).toEqual(["ok", []]);
  });

  test("show the supply as checked", async () => {
    const { verdict, differing } = await verdictOn("/supply");
    // The shown block may be the newest, to which nothing commits yet.
    expect(["ok", "partly"]).toContain(verdict);
    expect(differing).toEqual([]);
  });

  test("name the field of a block that a proxy alters", async () => {
    const { hash } = await deepBlock();
    const { verdict, differing } = await verdictOn(`/blocks/${hash}`, (path, answer) => {
      if (path !== `/api/blocks/${hash}/bytes`) return answer;
      const body = Buffer.from(answer.body);
      // The last byte of the header's pruning point lies before the count of transactions.
      body[3] = (body[3] ?? 0) ^ 1;
      return { ...answer, body };
    });
    expect(verdict).toBe("differs");
    expect(differing.length).toBeGreaterThan(0);
  });
});

/** A page whose proxy tells the truth until its check is done. */
async function checkedPage(path: string, first?: LieAt) {
  const proxy = await LyingProxy.before(scene.node.url);
  proxies.push(proxy);
  if (first !== undefined) proxy.tell(first);
  const context = await scene.browser.newContext();
  const { page } = await openPage(context, `${proxy.url}/explorer${path}`);
  const verdict = (word: string) =>
    page.locator(`[data-testid="check-verdict"][data-verdict="${word}"]`).waitFor();
  await verdict("ok");
  /** The verdicts that the page shows from now on, as they come and go. */
  const seen: string[] = [];
  await page.exposeFunction("saw", (word: string) => seen.push(word));
  await page.evaluate(() => {
    const look = () => {
      const shown = document.querySelector('[data-testid="check-verdict"]');
      const word = shown?.getAttribute("data-verdict") ?? "none";
      Reflect.get(window, "saw")(word);
    };
    const panel = document.querySelector('[data-testid="check"]');
    if (panel === null) throw new Error("no check");
    const watched = { subtree: true, childList: true, attributes: true };
    new MutationObserver(look).observe(panel, watched);
  });
  return { proxy, page, verdict, seen };
}

/** Alters the JSON at this path. */
function told(path: string, alter: (document: Record<string, never>) => void): LieAt {
  return (asked, answer) => {
    if (asked !== path || answer.status !== 200) return answer;
    const document: Record<string, never> = JSON.parse(answer.body.toString());
    alter(document);
    return { ...answer, body: Buffer.from(JSON.stringify(document)) };
  };
}

/** What a node shows of the pool after a block of the chain that has a block above it. */
async function poolAfter(hash: string): Promise<LieAt> {
  const answer = await fetch(`${scene.node.url}/api/info/supply/${hash}`);
  const { state, frontier, ...scores } = Object(await answer.json());
  const sum = BigInt(state.cumulativeCoinbase) - BigInt(state.cumulativeFees);
  const pool = told("/api/info/shielded", (document) =>
    Object.assign(document, {
      ...{ blockHash: hash, anchor: state.treeRoot, noteCount: Number(frontier.size) },
      ...{ blueScore: scores.blueScore, daaScore: scores.daaScore },
      turnstileIn: state.cumulativeCoinbase,
    }),
  );
  const coins = told("/api/info/coinsupply", (document) =>
    Object.assign(document, { circulatingSupply: String(sum) }),
  );
  return async (path, truth) => coins(path, await pool(path, truth));
}

describe("a server that lies once the check is done", () => {
  test("about a block: the verdict is withdrawn at once, and the next check names the field", async () => {
    const { hash } = await deepBlock();
    const { proxy, page, verdict } = await checkedPage(`/blocks/${hash}`);
    proxy.tell(
      told(`/api/blocks/${hash}`, (document) => {
        Object(document["extra"]).minerInfo = "a large pool";
      }),
    );
    await page.getByText("a large pool").first().waitFor();
    expect(await page.locator('[data-verdict="ok"]').count()).toBe(0);
    await verdict("differs");
    await page.locator('tr[data-step="minerInfo"][data-outcome="differs"]').waitFor();
    await page.context().close();
  });

  test("about a transaction: the verdict is withdrawn at once, and the next check names the field", async () => {
    const { coinbase } = await deepBlock();
    const { proxy, page, verdict, seen } = await checkedPage(`/transactions/${coinbase}`);
    proxy.tell(
      told(`/api/transactions/${coinbase}`, (document) => {
        Object.assign(document, { accepting_block_time: 1_700_000_000_000 });
      }),
    );
    await verdict("outdated");
    await verdict("differs");
    await page.locator('tr[data-step="accepting_block_time"][data-outcome="differs"]').waitFor();
    expect(seen.indexOf("outdated")).toBeLessThan(seen.indexOf("differs"));
    await page.context().close();
  });

  test("about the supply: the verdict is withdrawn at once, and the next audit names the field", async () => {
    const { hash } = await deepBlock();
    const truth = await poolAfter(hash);
    const { proxy, page, verdict } = await checkedPage("/supply", truth);
    await page.getByTestId("audit-figures").getByText(hash).waitFor();
    const lie = told("/api/info/shielded", (document) =>
      Object.assign(document, { turnstileOut: "500000000" }),
    );
    proxy.tell(async (path, answer) => lie(path, await truth(path, answer)));
    await verdict("outdated");
    await verdict("differs");
    await page.locator('tr[data-step="burned"][data-outcome="differs"]').waitFor();
    await page.context().close();
  });
});

test("confirmations and children change by themselves, and no verdict flashes for them", async () => {
  const { coinbase } = await deepBlock();
  const { proxy, page, seen } = await checkedPage(`/transactions/${coinbase}`);
  let asked = 0;
  const deeper = Promise.withResolvers<void>();
  proxy.tell(
    told(`/api/transactions/${coinbase}`, (document) => {
      asked += 1;
      Object.assign(document, { confirmations: 7_000 + asked });
      if (asked > 2) deeper.resolve();
    }),
  );
  await deeper.promise;
  await page.getByText(/7,00[23] confirmations/).waitFor();
  expect(seen).toEqual([]);
  await page.context().close();
});

test("the supply of a later block is audited in its turn, and the result of the earlier one stays meanwhile", async () => {
  const { hash } = await deepBlock();
  const { proxy, page, seen } = await checkedPage("/supply", await poolAfter(hash));
  const audited = (block: string) => page.getByTestId("audit-figures").getByText(block).waitFor();
  // The page began with what the node itself has rendered.
  await audited(hash);
  seen.splice(0);
  const scoreOf = async (block: string) => {
    const answer = await fetch(`${scene.node.url}/api/info/supply/${block}`);
    return BigInt(Object(await answer.json()).daaScore);
  };
  let later = hash;
  while ((await scoreOf(later)) <= (await scoreOf(hash))) later = (await deepBlock()).hash;
  proxy.tell(await poolAfter(later));
  await page.getByTestId("check-outdated").waitFor();
  await audited(later);
  expect(seen).not.toContain("outdated");
  await page.context().close();
});
