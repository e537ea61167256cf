/** Scan threads: however many there are, a page has the same facts. */
import { afterEach, expect, it } from "vitest";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ScanThreads } from "@svc/node-server/walletd/chain/scanThreads.ts";
import { KeySets } from "@svc/node-server/walletd/chain/keySet.ts";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { isPublicFault } from "@svc/shared/wallet/sync/changeQueue.ts";
import { EngineChain } from "../fixtures/payments/engineChain.ts";
import { genesisMs } from "../testkit/genesisMs.ts";
import { core, simnet } from "./engineFixture.ts";
import { never } from "./nodeFixture.ts";

const BLOCKS = 3 * WALLETD_LIMITS.scanPartBlocks + 7;
const running: ScanThreads[] = [];

afterEach(async () => {
  for (const threads of running.splice(0)) await threads.stop();
});

function threadsOf(threads: number): ScanThreads {
  const started = new ScanThreads({ profileJson: simnet, threads, log: createLog("silent") });
  running.push(started);
  return started;
}

const viewingKey = (byte: number): Uint8Array => core.fullViewingKey(new Uint8Array(32).fill(byte));

/** A page in which three of four keys own blocks, in turns. */
async function minedPage() {
  const chain = new EngineChain(core, simnet, genesisMs(simnet));
  const { sink } = await chain.tip();
  for (let block = 0; block < BLOCKS; block += 1) {
    chain.mine(encodeHex(core.addressAt(viewingKey(1 + (block % 3)), 0)));
  }
  return chain.blocks(sink, BLOCKS);
}

it("threads that share a page find what one finds", async () => {
  const page = await minedPage();
  const keys = new KeySets<{ readonly fvk: Uint8Array }>();
  keys.add([1, 2, 3, 4].map((byte) => ({ fvk: viewingKey(byte) })));
  const alone = await threadsOf(1).scan(page, keys.all, never);
  const together = await threadsOf(3).scan(page, keys.all, never);
  expect(alone[0]?.common.blocks).toHaveLength(BLOCKS);
  expect([...(alone[0]?.found.keys() ?? [])].toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  for (const [place, facts] of alone.entries()) {
    expect(together[place]?.common).toEqual(facts.common);
    expect(together[place]?.found.size).toBe(facts.found.size);
    for (const [key, own] of facts.found) expect(together[place]?.found.get(key)).toEqual(own);
  }
});

it("a page that is cut short is refused by as many threads as there are", async () => {
  const page = await minedPage();
  const short = { ...page, body: page.body.subarray(0, page.body.length - 1) };
  const [one, three] = [threadsOf(1), threadsOf(3)];
  const keys = new KeySets<{ readonly fvk: Uint8Array }>();
  for (const threads of [one, three]) {
    const thrown = await threads.scan(short, keys.all, never).catch((error: unknown) => error);
    expect(thrown instanceof SvcError && isPublicFault(thrown), String(thrown)).toBe(true);
  }
});
