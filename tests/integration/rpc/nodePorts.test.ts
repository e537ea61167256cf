/** Contract of a wallet's port to its node, for each carrier: against a real node, and against nodes that lie. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { GrpcNode } from "@svc/node-server/client/grpcNode.ts";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { asBlockHash, asChainIndex, type BlockHash } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { flipBits } from "@svc/shared/base/testkit/flipBits.ts";
import { encodeContainer, readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import { EMPTY_TREE } from "@svc/shared/protocol/raw/treeState.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import type { NodePort } from "@svc/shared/wallet/state/ports.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { BlockMaker, core, recipient, simnet } from "../engine/engineFixture.ts";
import { lyingGrpc, lyingHttp, NO_PAGE, type Liar, type Lie } from "./lyingNodes.ts";
import { mineOn, never, startTestNode, tipOf } from "../node/nodeFixture.ts";
import { FINALITY, smallNetwork } from "../node/smallNetwork.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const fixture = readPaymentFixture();
const common = fixture.trunk.slice(0, fixture.forkIndex);
const UNKNOWN = asBlockHash("ab".repeat(32));
/** A node that nobody serves. */
const NOWHERE = "127.0.0.1:1";

/** A port, and what a program that compares profiles asks it besides. */
type Port = NodePort & { profile(signal: AbortSignal): Promise<string> };

type Carrier = {
  readonly name: string;
  /** A port to a real node. */
  readonly to: (node: RunningNode) => Port;
  readonly nowhere: () => NodePort;
  readonly lying: (lie: Lie) => Promise<Liar>;
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A port that ends with the test. */
function grpcNode(address: string): GrpcNode {
  const port = new GrpcNode(address);
  closers.push(() => port.close());
  return port;
}

const CARRIERS: readonly Carrier[] = [
  {
    name: "HTTP",
    to: ({ httpAddress }) => new HttpNode(httpAddress ?? ""),
    nowhere: () => new HttpNode(`http://${NOWHERE}`),
    lying: lyingHttp,
  },
  {
    name: "gRPC",
    to: ({ grpcAddress }) => grpcNode(grpcAddress ?? ""),
    nowhere: () => grpcNode(NOWHERE),
    lying: lyingGrpc,
  },
];

/** The port that finds out which kind of node is there. */
function rpcNode(address: string): RpcNode {
  const port = new RpcNode(address, { core, profileJson: simnet });
  closers.push(() => port.close());
  return port;
}

const PORTS: readonly Pick<Carrier, "name" | "to">[] = [
  ...CARRIERS,
  { name: "gRPC, whatever its kind", to: ({ grpcAddress }) => rpcNode(grpcAddress ?? "") },
];

async function errorOf(call: Promise<unknown>): Promise<{ code: unknown; data: unknown }> {
  try {
    await call;
    return { code: "none", data: null };
  } catch (error) {
    return Object.assign({ code: "no code", data: null }, error);
  }
}

describe.each(PORTS)("a node over $name", ({ name, to }) => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startTestNode(null);
    for (const raw of common) await node.api.submitBlock(raw, never);
  });
  afterAll(() => node?.stop());

  it("tells the tip, and the profile whose digest is in it", async () => {
    const { genesis, sink, sinkBlueScore, daaScore, chainIndex, treeSize, treeRoot, ...more } =
      await tipOf(node);
    // What is there for people alone.
    const shown = { network: node.api.profile.networkName, sinkTimestamp: more.sinkTimestamp };
    expect(await to(node).tip(never)).toEqual({
      ...{ genesis, sink, sinkBlueScore, daaScore, chainIndex, treeSize, treeRoot },
      ...(name === "HTTP" && shown),
      profileDigest: node.api.profile.digest,
      historyFromDaaScore: 0n,
      historyComplete: true,
    });
    expect(chainIndex).toBe(BigInt(common.length));
    expect(await to(node).profile(never)).toBe(node.api.profile.canonicalJson);
  });

  it("gives pages, of the records that the engine wrote", async () => {
    const port = to(node);
    const first = await port.blocks(fixture.genesis, 7, never);
    expect(first).toMatchObject({ firstIndex: 1n, count: 7 });
    const engine = await node.api.ask("records", [fixture.genesis, 7]);
    expect(Buffer.from(engine).includes(Buffer.from(first.body))).toBe(true);
    const last = readRecords(first).at(-1)?.hash ?? UNKNOWN;
    const rest = await port.blocks(last, 1_000_000, never);
    expect(rest).toMatchObject({ firstIndex: 8n, count: common.length - 7 });
    const { sink } = await port.tip(never);
    expect(readRecords(rest).at(-1)?.hash).toBe(sink);
    expect(await port.blocks(sink, 5, never)).toMatchObject({ count: 0 });
  });

  it("does not know a block that nobody made", async () => {
    expect(await errorOf(to(node).blocks(UNKNOWN, 5, never))).toMatchObject({
      code: "chain/unknown-block",
      data: { hash: UNKNOWN },
    });
  });

  it("gives the block and its tree at an index, and none above the tip", async () => {
    const port = to(node);
    expect(await port.start(asChainIndex(0n), never)).toMatchObject({
      hash: fixture.genesis,
      chainIndex: 0n,
      tree: EMPTY_TREE,
    });
    const top = BigInt(common.length);
    for (const index of [1n, 30n, top]) {
      const start = await port.start(asChainIndex(index), never);
      expect(start.hash).toBe(await node.api.ask("chainHashAt", [index]));
      expect(start.tree).toEqual(await node.api.ask("treeState", [start.hash]));
      const [record] = readRecords(await port.blocks(await before(index), 1, never));
      const { hash, blueScore, daaScore, timestamp } = start;
      expect(record).toMatchObject({ hash, blueScore, daaScore, timestamp });
    }
    expect(await errorOf(port.start(asChainIndex(top + 1n), never))).toMatchObject({
      code: "chain/unknown-block",
      data: { hash: String(top + 1n) },
    });
  });

  async function before(index: bigint): Promise<BlockHash> {
    return asBlockHash((await node.api.ask("chainHashAt", [index - 1n])) ?? "");
  }

  it("takes a payment once, and says why it refuses one", async () => {
    const port = to(node);
    const { raw, txid } = fixture.payment("first");
    expect(await port.submit(raw, never)).toBe(txid);
    expect(await rejectionCode(port.submit(raw, never))).toBe("mempool/duplicate");
    expect(await rejectionCode(port.submit(fixture.payment("second").raw, never))).toMatch(
      /^mempool\//,
    );
    for (const bytes of [new Uint8Array(), raw.subarray(0, -1), NO_PAGE]) {
      expect(await rejectionCode(port.submit(bytes, never))).toMatch(/^codec\//);
    }
    const noPayment = raw.slice();
    flipBits(noPayment, 0);
    expect(await rejectionCode(port.submit(noPayment, never))).toMatch(/^(codec|tx|shielded)\//);
  });

  it("names the common block when the chain is another one", async () => {
    const port = to(node);
    const { sink } = await port.tip(never);
    const lost = asBlockHash(await mineOn(node, recipient(1)));
    expect(await port.blocks(sink, 5, never)).toMatchObject({ count: 1 });
    for (const raw of fixture.branch) await node.api.submitBlock(raw, never);
    expect(await errorOf(port.blocks(lost, 5, never))).toMatchObject({
      code: "chain/not-on-chain",
      data: { commonHash: sink, chainIndex: String(common.length) },
    });
    expect(await port.blocks(sink, 50, never)).toMatchObject({ count: fixture.branchBlocks });
  });

  it("is away when it has stopped", async () => {
    const port = to(node);
    await port.tip(never);
    await node.stop();
    expect(await rejectionCode(port.tip(never))).toBe("wallet/node-unreachable");
  });
});

describe.each(CARRIERS)("a start over $name", ({ to }) => {
  it("is given far below the finality point", async () => {
    const folder = temporaryFolder();
    closers.push(() => folder.remove());
    const file = join(folder.path, "network.json");
    writeFileSync(file, smallNetwork());
    const node = await startTestNode(null, { network: { file } });
    closers.push(() => node.stop());
    const maker = new BlockMaker(core.canonicalProfile(smallNetwork()));
    for (let count = 0; count < 4 * FINALITY; count += 1) {
      await node.api.submitBlock(maker.next(recipient(1)), never);
    }
    const { finalIndex } = await tipOf(node);
    expect(finalIndex).toBeGreaterThan(2n * BigInt(FINALITY));
    const start = await to(node).start(asChainIndex(5n), never);
    expect(start).toMatchObject({ chainIndex: 5n, blueScore: 5n });
    expect(start.tree).toEqual(await node.api.ask("treeState", [start.hash]));
  });
});

describe.each(CARRIERS)("a node that lies over $name", ({ lying, nowhere }) => {
  async function liar(lie: Lie): Promise<NodePort> {
    const { port, close } = await lying(lie);
    closers.push(close);
    return port;
  }
  const page = (count: number): Uint8Array => {
    const maker = new BlockMaker();
    for (let made = 0; made < count; made += 1) maker.next(recipient(1));
    return maker.engine.records(fixture.genesis, count);
  };

  it("is not believed a page longer than was asked for", async () => {
    const port = await liar({ kind: "page", bytes: page(3) });
    expect(await port.blocks(UNKNOWN, 3, never)).toMatchObject({ count: 3 });
    expect(await rejectionCode(port.blocks(UNKNOWN, 2, never))).toBe("codec/count-too-large");
  });

  it("is not believed a damaged page", async () => {
    const whole = encodeContainer(asChainIndex(1n), []);
    for (const bytes of [NO_PAGE, whole.subarray(1), whole.subarray(0, -1), new Uint8Array()]) {
      const port = await liar({ kind: "page", bytes });
      expect(await rejectionCode(port.blocks(UNKNOWN, 2, never))).toMatch(/^codec\//);
    }
  });

  it.each([
    ["a root", { kind: "tip", treeRoot: "ab" }, (port: NodePort) => port.tip(never)],
    [
      "a leaf",
      { kind: "start", leaf: "zz" },
      (port: NodePort) => port.start(asChainIndex(1n), never),
    ],
    [
      "a transaction's id",
      { kind: "submitted", txid: "AB".repeat(32) },
      (port: NodePort) => port.submit(fixture.payment("first").raw, never),
    ],
  ] as const)("is not believed %s of another form", async (_, lie, ask) => {
    expect(await rejectionCode(ask(await liar(lie)))).toMatch(/^codec\//);
  });

  it("is not believed the answer of another call", async () => {
    const port = await liar({ kind: "otherAnswer" });
    const asked = [
      port.tip(never),
      port.blocks(UNKNOWN, 2, never),
      port.start(asChainIndex(1n), never),
      port.submit(fixture.payment("first").raw, never),
    ];
    for (const call of asked) expect(await rejectionCode(call)).toMatch(/^(codec|http)\//);
  });

  it.each(["run/aborted", "wallet/tree-mismatch", "tx/invalid-proof", "store/corrupt", "no/code"])(
    "is not believed %s, which it has no reason to say",
    async (code) => {
      const port = await liar({ kind: "error", json: JSON.stringify({ code, reason: "x" }) });
      for (const call of [port.tip(never), port.blocks(UNKNOWN, 2, never)]) {
        expect(await rejectionCode(call)).toBe("http/unavailable");
      }
    },
  );

  it("is not believed an error of great length", async () => {
    const long = { code: "chain/unknown-block", hash: "ab".repeat(1 << 14) };
    const port = await liar({ kind: "error", json: JSON.stringify(long) });
    expect(await rejectionCode(port.blocks(UNKNOWN, 2, never))).toBe("http/unavailable");
  });

  it("is believed what it has a reason to say", async () => {
    const found = { code: "chain/not-on-chain", commonHash: UNKNOWN, chainIndex: "7" };
    const port = await liar({ kind: "error", json: JSON.stringify({ ...found, error: "no" }) });
    expect(await errorOf(port.blocks(UNKNOWN, 2, never))).toMatchObject({
      code: "chain/not-on-chain",
      data: { commonHash: UNKNOWN, chainIndex: "7" },
    });
    expect(await rejectionCode(port.tip(never))).toBe("http/unavailable");
  });

  it("ends a call with an error when it sends more than an answer may have", async () => {
    const port = await liar({ kind: "flood" });
    expect(await rejectionCode(port.blocks(UNKNOWN, 2, never))).toMatch(
      /^(codec\/count-too-large|wallet\/node-unreachable)$/,
    );
  });

  it("ends a call with an error when it dies in the middle", async () => {
    const port = await liar({ kind: "death" });
    expect(await rejectionCode(port.blocks(UNKNOWN, 2, never))).toBe("wallet/node-unreachable");
  });

  it("is not waited for when the caller stops", async () => {
    const stop = new AbortController();
    const port = await liar({ kind: "silence", onAsked: () => stop.abort() });
    expect(await rejectionCode(port.blocks(UNKNOWN, 2, stop.signal))).toBe("run/aborted");
    expect(await rejectionCode(port.tip(stop.signal))).toBe("run/aborted");
  });

  it("is named when nobody is there", async () => {
    const { code, data } = await errorOf(nowhere().tip(never));
    expect(code).toBe("wallet/node-unreachable");
    expect(JSON.stringify(data)).toContain(NOWHERE);
  });
});
