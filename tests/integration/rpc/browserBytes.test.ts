/** Bytes of each new block that an open page receives, counted on the wire: for a wallet at the tip, and for the blocks page. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { WalletLoop } from "@svc/shared/wallet/run/walletLoop.ts";
import { LiveFeed, liveUrl } from "@svc/web/node/liveFeed.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, recipient, simnet } from "../engine/engineFixture.ts";
import { mineOn, never, startTestNode } from "../node/nodeFixture.ts";
import { WireTap } from "./wireTap.ts";

const fixture = readPaymentFixture();
const BLOCKS = 4;
/** Bytes besides its record that a page is sent for a block: tips, heads of answers and of frames. */
const BESIDE_RECORD = 8 * 1024;

let node: RunningNode;
let tap: WireTap;
let feed: LiveFeed | null;

beforeEach(async () => {
  node = await startTestNode(null, { grpc: null });
  for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) {
    await node.api.submitBlock(raw, never);
  }
  tap = await WireTap.before(node.httpAddress ?? "");
  feed = null;
});
afterEach(async () => {
  feed?.stop();
  await tap.close();
  await node.stop();
});

/** News of the live connection, and a wait for what the server must have sent for it. */
class News {
  count = 0;
  #heard: PromiseWithResolvers<void> = Promise.withResolvers();

  readonly hear = (): void => {
    this.count += 1;
    this.#heard.resolve();
  };

  /** Resolves when the server has sent these bytes. */
  async untilSent(bytes: Uint8Array): Promise<void> {
    while (tap.count(bytes) === 0) {
      this.#heard = Promise.withResolvers();
      await this.#heard.promise;
    }
  }
}

/** Opens the live connection; resolves when it is up. `onNews` hears each frame about the chain. */
function goLive(url: string, onNews: () => void): Promise<void> {
  const up = Promise.withResolvers<void>();
  const tip = new HttpNode(node.httpAddress ?? "");
  feed = new LiveFeed(url, async () => (await tip.tip(never)).sink, {
    onNews,
    onState: (isUp) => isUp && up.resolve(),
    onPoolAdd: () => undefined,
    onPoolDel: () => undefined,
  });
  feed.start();
  return up.promise;
}

/** The bytes of a block's scan record, as both ways to a browser carry them. */
async function recordOf(hash: string): Promise<Uint8Array> {
  return readContainer(await node.api.ask("recordOf", [hash]), 1).body;
}

/** How often the record of each block was sent. */
async function timesSent(hashes: readonly string[]): Promise<number[]> {
  return Promise.all(hashes.map(async (hash) => tap.count(await recordOf(hash))));
}

/** Blocks on the node's tip, one after the other; the first carries a payment, which the second applies. */
async function mineBlocks(afterEachBlock: (hash: string) => Promise<void>): Promise<string[]> {
  await node.api.submitTransaction(fixture.payment("waiting").raw, never);
  const hashes: string[] = [];
  for (let count = 0; count < BLOCKS; count += 1) {
    const hash = await mineOn(node, recipient(1));
    hashes.push(hash);
    await afterEachBlock(hash);
  }
  return hashes;
}

/** The wallet of an open page, which begins at genesis and is at the node's tip when this resolves. */
async function openPage() {
  const prover = { prove: () => Promise.reject(new SvcError("wallet/cancelled", {})) };
  const parts = { core, profileJson: simnet, prover, clock: walletClock(systemClock) };
  const kit = new WalletKit(parts, new Secret(new Uint8Array(32).fill(7)));
  const sync = await kit.open(new HttpNode(tap.address), never);
  const stop = new AbortController();
  const loop = new WalletLoop(kit.sendParts(), PAGE_LIMITS.walletPollMs, () => undefined);
  const running = loop.run(stop.signal);
  const reached = (hash: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (sync.state.blocks.at(-1)?.hash !== hash) return;
        end();
        resolve();
      };
      const end = sync.subscribe(look);
      look();
    });
  const close = async (): Promise<void> => {
    stop.abort();
    await running;
    await kit.close();
  };
  return { wake: () => loop.wake(), reached, close };
}

describe("of each new block", () => {
  test("an open wallet gets the scan record once", async () => {
    const page = await openPage();
    try {
      await goLive(liveUrl(tap.address), page.wake);
      await page.reached((await new HttpNode(node.httpAddress ?? "").tip(never)).sink);
      const before = tap.bytes;
      const hashes = await mineBlocks(page.reached);
      expect(await timesSent(hashes)).toEqual(hashes.map(() => 1));
      const records = await Promise.all(hashes.map(recordOf));
      const least = records.reduce((sum, { length }) => sum + length, 0);
      // One of them holds the payment's two actions.
      expect(least).toBeGreaterThan(2 * 788);
      expect(tap.bytes - before).toBeGreaterThan(least);
      expect(tap.bytes - before).toBeLessThan(least + BLOCKS * BESIDE_RECORD);
    } finally {
      await page.close();
    }
  });

  test("a page that shows blocks gets word and no scan record", async () => {
    const news = new News();
    await goLive(liveUrl(tap.address), news.hear);
    // The tip names its block in words.
    const hashes = await mineBlocks((hash) => news.untilSent(Buffer.from(hash)));
    expect(news.count).toBeGreaterThanOrEqual(BLOCKS);
    expect(await timesSent(hashes)).toEqual(hashes.map(() => 0));
  });

  test("a node that does not know the wish sends the record, and is answered", async () => {
    const news = new News();
    await goLive(`${tap.address.replace(/^http/, "ws")}/v1/live`, news.hear);
    const hashes = await mineBlocks(async (hash) => news.untilSent(await recordOf(hash)));
    expect(news.count).toBeGreaterThan(BLOCKS);
    expect(await timesSent(hashes)).toEqual(hashes.map(() => 1));
  });
});
