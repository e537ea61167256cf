/** Whole nodes with an index: what they answer over REST, while they follow, after a restart, and after their chain was replaced. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { parseFlags } from "@svc/node-server/app/options/flags.ts";
import type { NodeOptions, RunningNode } from "@svc/node-server/app/node/node.ts";
import { RPC_LIMITS } from "@svc/node-server/rpc/rpcLimits.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { asTxId } from "@svc/shared/base/brand.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { blockOf, Corpus } from "../../conform/corpus.ts";
import { BlockMaker, core, NOW_MS, recipient } from "../engine/engineFixture.ts";
import {
  mineOn,
  never,
  runningClock,
  startTestNode,
  tipOf,
  untilSink,
} from "../node/nodeFixture.ts";
import { DEPTH, smallNetwork } from "../node/smallNetwork.ts";

const nodes: RunningNode[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});

async function start(folder: string | null, over: Partial<NodeOptions> = {}): Promise<RunningNode> {
  const node = await startTestNode(folder, { index: "on", grpc: null, ...over });
  nodes.push(node);
  return node;
}

async function ask(node: RunningNode, path: string, init?: RequestInit) {
  const answer = await fetch(`${node.httpAddress}/api${path}`, init);
  const body = await answer.text();
  return { status: answer.status, body, json: JSON.parse(body) };
}

/** Resolves when the index of a node has its sink. */
async function indexed(node: RunningNode): Promise<void> {
  for (;;) {
    const { sink } = await tipOf(node);
    const { status, json } = await ask(node, "/info/index");
    if (status === 200 && json.sink === sink && json.behind === 0 && !json.isRebuilding) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const peersOf = (...args: string[]) => parseFlags("local", args, {}).peers;

describe("a node without an index", () => {
  it("says so with 503 where only an index could answer", async () => {
    const node = await start(null, { index: "off" });
    for (const path of [
      "/info/pulse",
      "/info/miners",
      "/transactions/count",
      "/search/0/-",
      "/info/index",
    ]) {
      const { status, json } = await ask(node, path);
      expect([path, status, json.code]).toEqual([path, 503, "http/unavailable"]);
      expect(json.error).toContain("no index");
    }
  });
});

describe("a node with an index", () => {
  it("knows a payment from its block to its application, and tells the fee", async () => {
    const fixture = readPaymentFixture();
    const clock = new ManualClock(fixture.firstBlockMs + 1_000_000n);
    const node = await start(null, { network: { name: fixture.profile }, clock });
    const trunk = fixture.trunk.slice(0, fixture.forkIndex);
    for (const raw of trunk) await node.api.submitBlock(raw, never);
    const { txid, fee } = fixture.payment("plain");
    const [carrying, next] = fixture.trunk.slice(fixture.forkIndex);
    if (carrying === undefined || next === undefined) throw new Error("no block");
    expect((await ask(node, `/transactions/${txid}`)).status).toBe(404);
    await node.api.submitBlock(carrying, never);
    await indexed(node);
    // Blocks that nothing has merged are read beside the chain.
    await expect.poll(async () => (await ask(node, `/transactions/${txid}`)).status).toBe(200);
    // A block carries it: that is no acceptance.
    expect((await ask(node, `/transactions/${txid}`)).json).toMatchObject({
      status: "included",
      is_accepted: false,
      confirmations: 0,
      accepting_block_hash: null,
      fee: String(fee),
    });
    const search = { method: "POST", headers: { "content-type": "application/json" } };
    const body = JSON.stringify({ transactionIds: [txid] });
    expect((await ask(node, "/transactions/search", { ...search, body })).json).toEqual([]);
    await node.api.submitBlock(next, never);
    await indexed(node);
    const { sink } = await tipOf(node);
    expect((await ask(node, `/transactions/${txid}`)).json).toMatchObject({
      status: "applied",
      is_accepted: true,
      accepting_block_hash: sink,
      kind: "payment",
    });
    expect((await ask(node, "/transactions/search", { ...search, body })).json).toMatchObject([
      { transaction_id: txid, is_accepted: true, accepting_block_hash: sink },
    ]);
    expect((await ask(node, "/transactions/count")).json).toMatchObject({
      regular: 1,
      isComplete: true,
    });
    // The other branch is longer: the payment goes back, and another one is applied in its place.
    for (const raw of fixture.branch) await node.api.submitBlock(raw, never);
    await indexed(node);
    // The log is complete when the engine has told the fork point.
    await expect.poll(async () => (await ask(node, "/info/reorgs")).json.count).toBe(1);
    const log = (await ask(node, "/info/reorgs")).json;
    expect(log).toMatchObject({ count: 1, histogram: { [String(log.maxDepth)]: 1 } });
    expect(log.recent[0]).toMatchObject({
      oldTip: sink,
      newTip: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const first = fixture.payment("first");
    expect((await ask(node, `/transactions/${first.txid}`)).json).toMatchObject({
      status: "applied",
    });
    const place = await node.api.index?.transactionPlace(asTxId(txid), never);
    expect(place?.outcome.status).not.toBe("applied");
  });

  it("lists at a DAA score what was merged long after, too, which a walk of the chain does not see", async () => {
    const [one, other] = [new BlockMaker(), new BlockMaker()];
    const chain = Array.from({ length: RPC_LIMITS.restScoreChainBlocks + 4 }, () =>
      one.next(recipient(1)),
    );
    const late = other.next(recipient(2));
    const rows: string[][] = [];
    for (const index of ["on", "off"] as const) {
      const node = await start(null, { index });
      for (const raw of [...chain, late]) await node.api.submitBlock(raw, never);
      if (index === "on") {
        await indexed(node);
        const open = (await ask(node, "/blocks/at?daaScore=0")).json;
        expect(open.map(({ color }: { color: string }) => color).toSorted()).toEqual([
          "blue",
          "blue",
          "none",
        ]);
      }
      await mineOn(node, recipient(3));
      if (index === "on") await indexed(node);
      const { sink } = await tipOf(node);
      const found = (await ask(node, "/blocks/at?daaScore=0")).json;
      rows.push(found.map(({ block_hash: hash }: { block_hash: string }) => hash).toSorted());
      if (index === "on") {
        expect(found).toContainEqual(
          expect.objectContaining({ block_hash: other.sink(), color: "red", mergedBy: sink }),
        );
      }
    }
    // The score of the first block is also that of its children.
    const [whole = [], walked = []] = rows;
    expect(walked).toHaveLength(2);
    expect(whole).toEqual([...walked, other.sink()].toSorted());
  });

  it("pages through its blocks, and answers CSV where there are charts", async () => {
    const node = await start(null);
    for (let block = 0; block < 12; block += 1) await mineOn(node, recipient(1));
    await indexed(node);
    const first = (await ask(node, "/blocks/recent?limit=5")).json;
    const last = first.at(-1);
    const second = (
      await ask(node, `/blocks/recent?limit=20&before=${last.daaScore}-${last.block_hash}`)
    ).json;
    expect(first.length + second.length).toBe(13);
    for (const path of [
      "/info/pulse.csv",
      "/info/work-history.csv?window=7d",
      "/info/miners.csv",
    ]) {
      const answer = await fetch(`${node.httpAddress}/api${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  it("goes on after a restart where it was, and makes its tables anew when told so", async () => {
    const folder = folderOfTest();
    const node = await start(folder);
    for (let block = 0; block < 8; block += 1) await mineOn(node, recipient(1));
    await indexed(node);
    const before = (await ask(node, "/blocks/recent?limit=200")).body;
    const count = (await ask(node, "/transactions/count")).body;
    await node.stop();
    for (const index of ["on", "rebuild"] as const) {
      const again = await start(folder, { index });
      await indexed(again);
      expect((await ask(again, "/blocks/recent?limit=200")).body).toBe(before);
      expect((await ask(again, "/transactions/count")).body).toBe(count);
      await again.stop();
    }
  });

  it("tells which blocks are merge-mined by the witnesses in them", async () => {
    const folder = fileURLToPath(new URL("../../vectors/reference/w", import.meta.url));
    const corpus = new Corpus(folder);
    const witnesses = await corpus.witnesses();
    const blocks = [];
    for await (const recorded of corpus.blocks()) blocks.push(blockOf(recorded, witnesses));
    const taken = blocks.slice(1, 61);
    const clock = new ManualClock((taken.at(-1)?.header.timestamp ?? 0n) + 1_000n);
    const network = { file: join(folder, "profile.json") };
    const node = await start(null, { network, clock });
    for (const block of taken) {
      const outcome = await node.api.submitBlock(encodeRawBlock(block), never);
      expect(outcome.kind).toBe("accepted");
    }
    await indexed(node);
    const shown = (await ask(node, "/blocks/recent?limit=200")).json;
    const merged = shown.filter((one: { color: string }) => one.color !== "none").length;
    const { json } = await ask(node, "/info/merged-mining");
    expect(json).toMatchObject({
      peers: 0,
      merged: 0,
      nodes: [],
      probing: false,
      isComplete: true,
    });
    expect(json.checked).toBeGreaterThanOrEqual(merged - 1);
    const witnessed = taken.filter(({ witness }) => witness !== undefined).length;
    expect(json.mergeMined).toBeGreaterThan(5);
    expect(json.mergeMined).toBeLessThanOrEqual(witnessed);
    expect(json.share).toBeCloseTo(json.mergeMined / json.checked, 9);
    const miners = (await ask(node, "/info/miners")).json.miners;
    const summed = miners.reduce(
      (sum: number, one: { mergeMinedBlocks: number }) => sum + one.mergeMinedBlocks,
      0,
    );
    expect(summed).toBeLessThanOrEqual(json.mergeMined);
  });
});

describe("nodes that are peers", () => {
  it("note when a block came and from which subnetwork, and no address", async () => {
    const source = await start(folderOfTest(), {
      index: "off",
      peers: peersOf("--listen=127.0.0.1:0"),
      clock: runningClock,
    });
    await mineOn(source, recipient(1));
    const folder = folderOfTest();
    const node = await start(folder, {
      peers: peersOf(`--connect=127.0.0.1:${source.peerPort}`),
      clock: runningClock,
    });
    await untilSink(node, (await tipOf(source)).sink);
    const hash = await mineOn(source, recipient(1));
    await untilSink(node, hash);
    await indexed(node);
    const coinbase = JSON.parse((await node.api.ask("blockFacts", [hash])) ?? "").txids[0];
    await expect
      .poll(async () => (await ask(node, `/transactions/${coinbase}`)).json.first_seen)
      .toBeGreaterThan(Number(NOW_MS));
    const paths = [
      "/info/merged-mining",
      "/info/nodes",
      "/info/network",
      "/info/index",
      "/info/reorgs",
    ];
    for (const path of paths) {
      expect((await ask(node, path)).body).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
    }
  });

  it("index what they imported, from the pruning point on", async () => {
    const file = join(folderOfTest(), "network.json");
    writeFileSync(file, smallNetwork());
    const network = { file };
    const over = { network, clock: runningClock };
    const source = await start(folderOfTest(), { ...over, peers: peersOf("--listen=127.0.0.1:0") });
    const maker = new BlockMaker(core.canonicalProfile(smallNetwork()));
    for (let block = 0; block < 2 * DEPTH; block += 1) {
      await source.api.submitBlock(maker.next(recipient(1)), never);
    }
    const tip = await tipOf(source);
    const peers = peersOf(`--connect=127.0.0.1:${source.peerPort}`);
    const fresh = await start(folderOfTest(), { ...over, peers });
    await untilSink(fresh, tip.sink);
    await untilSink(fresh, await mineOn(source, recipient(1)));
    await indexed(fresh);
    await indexed(source);
    const about = (await ask(fresh, "/info/index")).json;
    expect(about).toMatchObject({ isComplete: false });
    expect(BigInt(about.coveredFrom.daaScore)).toBeGreaterThan(0n);
    const shown = async (node: RunningNode) => (await ask(node, "/blocks/recent?limit=50")).body;
    expect(await shown(fresh)).toBe(await shown(source));
  });
});
