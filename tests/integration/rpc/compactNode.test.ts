/** The port to a node of the parent network: our own node behind a filter, and nodes that follow a script. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { asBlockHash, asChainIndex, asLeafPosition } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { readContainer, readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import { EMPTY_TREE } from "@svc/shared/protocol/raw/treeState.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, recipient, simnet } from "../engine/engineFixture.ts";
import { mineOn, never, startTestNode, tipOf } from "../node/nodeFixture.ts";
import { startParentNode, type ParentNode } from "./parentNode.ts";
import { smallNetwork } from "../node/smallNetwork.ts";

const fixture = readPaymentFixture();
const common = fixture.trunk.slice(0, fixture.forkIndex);
const UNKNOWN = asBlockHash("ab".repeat(32));
const COMPACT = 148;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function portTo(address: string, profileJson = simnet): RpcNode {
  const port = new RpcNode(address, { core, profileJson });
  closers.push(() => port.close());
  return port;
}

async function errorOf(call: Promise<unknown>): Promise<{ code: unknown; data: unknown }> {
  try {
    await call;
    return { code: "none", data: null };
  } catch (error) {
    return Object.assign({ code: "no code", data: null }, error);
  }
}

describe("a node of the parent network", () => {
  let node: RunningNode;
  let parent: ParentNode;
  beforeAll(async () => {
    node = await startTestNode(null, { http: null });
    for (const raw of fixture.trunk) await node.api.submitBlock(raw, never);
    parent = await startParentNode(node.grpcAddress ?? "");
  });
  afterAll(async () => {
    parent?.close();
    await node?.stop();
  });

  it("tells the tip, its index once the sink was served, and of its profile what is believed", async () => {
    const port = portTo(parent.address);
    const { genesis, sink, sinkBlueScore, daaScore, chainIndex, treeSize, treeRoot } =
      await tipOf(node);
    const told = { genesis, sink, sinkBlueScore, daaScore, treeSize, treeRoot };
    expect(port.kind).toBeNull();
    const tip = await port.tip(never);
    expect(port.kind).toBe("compact");
    expect(tip).toEqual({
      ...told,
      chainIndex: asChainIndex(sinkBlueScore),
      profileDigest: node.api.profile.digest,
      historyFromDaaScore: 0n,
      historyComplete: true,
    });
    await port.blocks(fixture.genesis, 100, never);
    expect(await port.tip(never)).toEqual({ ...tip, chainIndex });
    expect(await port.profile(never)).toBe(simnet);
  });

  it("gives pages in which all but the memos is as in whole ones", async () => {
    const port = portTo(parent.address);
    const engine = await node.api.ask("records", [fixture.genesis, 100]);
    const whole = readRecords(readContainer(engine, 100));
    const first = await port.blocks(fixture.genesis, 7, never);
    expect(first).toMatchObject({ firstIndex: 1n, count: 7, memosUnknown: true });
    const last = readRecords(first).at(-1)?.hash ?? UNKNOWN;
    const rest = await port.blocks(last, 1_000_000, never);
    expect(rest).toMatchObject({ firstIndex: 8n, count: whole.length - 7 });
    const records = [first, rest].flatMap((page) => readRecords(page));
    const payments = records.flatMap(({ transactions }) => transactions);
    expect(payments).toHaveLength(1);
    for (const [place, record] of records.entries()) {
      const { transactions, ...head } = whole[place] ?? record;
      expect(record).toMatchObject(head);
      const cut = transactions.map(({ txid, actions }) => ({
        txid,
        actions: actions.map(({ bytes, ...named }) => {
          const kept = new Uint8Array(bytes.length);
          kept.set(bytes.subarray(0, COMPACT));
          return { ...named, bytes: kept };
        }),
      }));
      expect(record.transactions).toEqual(cut);
    }
    const { sink } = await port.tip(never);
    expect(await port.blocks(sink, 5, never)).toMatchObject({ count: 0 });
  });

  it("is asked after any block whose place the asker knows, and after no other", async () => {
    const { sink, chainIndex, treeSize } = await tipOf(node);
    const place = { chainIndex: asChainIndex(chainIndex), leafEnd: asLeafPosition(treeSize) };
    const hash = asBlockHash(sink);
    const port = portTo(parent.address);
    expect(await rejectionCode(port.blocks(hash, 5, never))).toBe("wallet/node-compact-only");
    expect(await port.blocks(hash, 5, never, place)).toMatchObject({
      firstIndex: chainIndex + 1n,
      count: 0,
    });
    expect(await errorOf(port.blocks(UNKNOWN, 5, never, place))).toMatchObject({
      code: "chain/unknown-block",
      data: { hash: UNKNOWN },
    });
  });

  it("begins at genesis, whatever the index, and not above the tip", async () => {
    const port = portTo(parent.address);
    for (const index of [0n, 1n, 30n]) {
      expect(await port.start(asChainIndex(index), never)).toMatchObject({
        hash: fixture.genesis,
        chainIndex: 0n,
        tree: EMPTY_TREE,
      });
    }
    const { sinkBlueScore } = await port.tip(never);
    const above = port.start(asChainIndex(sinkBlueScore + 1n), never);
    expect(await rejectionCode(above)).toBe("chain/unknown-block");
  });

  it("takes a payment, and again what it has already", async () => {
    const port = portTo(parent.address);
    expect(await port.pool(never)).toEqual([]);
    const { raw, txid, nullifier } = fixture.payment("waiting");
    expect(await port.submit(raw, never)).toBe(txid);
    expect(await port.submit(raw, never)).toBe(txid);
    // Its note is spent in the chain; why it is refused is in no code.
    const spent = fixture.payment("plain").raw;
    expect(await rejectionCode(port.submit(spent, never))).toBe("http/unavailable");
    expect(await rejectionCode(port.submit(raw.subarray(1), never))).toMatch(/^codec\//);
    const [waiting] = await port.pool(never);
    expect(waiting?.txid).toBe(txid);
    const [record] = waiting === undefined ? [] : readRecords(waiting.page);
    const [transaction] = record?.transactions ?? [];
    expect(transaction?.actions.map((action) => action.nullifier)).toContain(nullifier);
    // With its memo: a transaction that waits is given out whole.
    expect(transaction?.actions.some(({ bytes }) => bytes.subarray(COMPACT).some(Boolean))).toBe(
      true,
    );
  });
});

describe("a node of the parent network whose chain changes", () => {
  it("is asked which of the blocks that it served it still has", async () => {
    const node = await startTestNode(null, { http: null });
    closers.push(() => node.stop());
    for (const raw of common) await node.api.submitBlock(raw, never);
    const parent = await startParentNode(node.grpcAddress ?? "");
    closers.push(() => parent.close());
    const port = portTo(parent.address);
    await port.blocks(fixture.genesis, 100, never);
    const { sink } = await port.tip(never);
    const lost = [];
    for (let mined = 0; mined < 5; mined += 1) {
      lost.push(asBlockHash(await mineOn(node, recipient(1))));
    }
    expect(await port.blocks(sink, 50, never)).toMatchObject({ count: 5 });
    for (const raw of fixture.branch) await node.api.submitBlock(raw, never);
    const { code, data } = await errorOf(port.blocks(lost.at(-1) ?? UNKNOWN, 50, never));
    expect(code).toBe("chain/not-on-chain");
    // In growing steps: 1, 2, 4 and 8 blocks below.
    expect(data).toMatchObject({ chainIndex: String(common.length - 3) });
    const { commonHash } = Object.assign({ commonHash: "" }, data);
    const page = await port.blocks(asBlockHash(commonHash), 50, never);
    expect(page).toMatchObject({
      firstIndex: BigInt(common.length - 2),
      count: 3 + fixture.branchBlocks,
    });
    const { chainIndex } = await tipOf(node);
    expect(await port.tip(never)).toMatchObject({ chainIndex });
  });
});

describe("a node of another network", () => {
  let node: RunningNode;
  let parent: ParentNode;
  beforeAll(async () => {
    node = await startTestNode(null, { http: null });
    parent = await startParentNode(node.grpcAddress ?? "");
  });
  afterAll(async () => {
    parent?.close();
    await node?.stop();
  });

  it("is known by the network's name", async () => {
    const port = portTo(parent.address, core.canonicalProfile(smallNetwork()));
    for (const call of [port.tip(never), port.start(asChainIndex(0n), never)]) {
      expect(await rejectionCode(call)).toBe("wallet/node-wrong-network");
    }
  });

  it("is known by what its chain begins with where the name is the same", async () => {
    const { networkName } = node.api.profile;
    const other = core.canonicalProfile(
      JSON.stringify({ ...JSON.parse(smallNetwork()), networkName }),
    );
    const port = portTo(parent.address, other);
    expect(await rejectionCode(port.tip(never))).toBe("wallet/node-wrong-network");
  });
});
