/** What a wallet's port over gRPC does beyond the contract of `nodePorts.test.ts`: its stream, news, the pool, nodes of another kind. */
import type { ServerDuplexStream } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { GrpcNode } from "@svc/node-server/client/grpcNode.ts";
import type { NodeStreamOptions } from "@svc/node-server/client/nodeStream.ts";
import { asBlockHash, asChainIndex } from "@svc/shared/base/brand.ts";
import { ByteWriter } from "@svc/shared/base/bytes.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { encodeContainer, readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import {
  encodeResponse,
  readRequest,
  type ResponsePayload,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { recipient } from "../engine/engineFixture.ts";
import { serveGrpc } from "./lyingNodes.ts";
import { mineOn, never, startTestNode } from "../node/nodeFixture.ts";

const fixture = readPaymentFixture();
const HASH = asBlockHash("ab".repeat(32));
const EMPTY = encodeContainer(asChainIndex(1n), []);
const MIB = 1 << 20;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function portTo(address: string, options?: NodeStreamOptions): GrpcNode {
  const port = new GrpcNode(address, options);
  closers.push(() => port.close());
  return port;
}

/** Counts what a listener is told. */
class News {
  told = 0;
  #next = Promise.withResolvers<void>();

  readonly hear = (): void => {
    this.told += 1;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  };

  /** Resolves when it was told so often. */
  async reach(count: number): Promise<void> {
    while (this.told < count) await this.#next.promise;
  }
}

type Call = ServerDuplexStream<Uint8Array, Uint8Array>;
/** An answer; null for none. */
type Script = (method: number, call: Call) => ResponsePayload | null;

/** A node that follows a script, and the streams that it was opened. */
async function scripted(script: Script, port = 0) {
  const streams = new Set<Call>();
  const server = await serveGrpc((bytes, call) => {
    streams.add(call);
    const { id, method } = readRequest(bytes);
    const payload = script(method ?? 0, call);
    return payload === null ? null : encodeResponse(id, payload);
  }, port);
  closers.push(() => server.close());
  return { ...server, streams };
}

const pageOf = (records: Uint8Array | undefined): ResponsePayload => ({
  $case: "getShieldedBlocks",
  value: { blocks: [], reorged: false, sinkBlueScore: 0n, records, error: undefined },
});
const poolOf = (payments: Uint8Array[]): ResponsePayload => ({
  $case: "getMempoolEntries",
  value: { entries: [], payments, error: undefined },
});
const SUBSCRIBE = 1_081;
const subscribed: ResponsePayload = {
  $case: "notifyNewBlockTemplate",
  value: { error: undefined },
};

describe("the stream of a port over gRPC", () => {
  it("is one for all calls, and opened by the first", async () => {
    const node = await scripted(() => pageOf(EMPTY));
    const port = portTo(node.address);
    expect(node.streams.size).toBe(0);
    await Promise.all([1, 2, 3].map((limit) => port.blocks(HASH, limit, never)));
    expect(node.streams.size).toBe(1);
  });

  it("is opened again by the call after it ended", async () => {
    const first = await scripted(() => pageOf(EMPTY));
    const port = portTo(first.address);
    await port.blocks(HASH, 1, never);
    first.close();
    expect(await rejectionCode(port.blocks(HASH, 1, never))).toBe("wallet/node-unreachable");
    const again = await scripted(() => pageOf(EMPTY), Number(first.address.split(":")[1]));
    expect(await port.blocks(HASH, 1, never)).toMatchObject({ count: 0 });
    expect(again.streams.size).toBe(1);
  });

  it("is given up when it says nothing for as long as a call may take", async () => {
    const gone = Promise.withResolvers<void>();
    const node = await scripted((_, call) => {
      call.on("cancelled", () => gone.resolve());
      return null;
    });
    const port = portTo(node.address, { callMs: 40 });
    expect(await rejectionCode(port.blocks(HASH, 1, never))).toBe("wallet/node-unreachable");
    await gone.promise;
    expect(await rejectionCode(port.tip(never))).toBe("wallet/node-unreachable");
    expect(node.streams.size).toBe(2);
  });

  it("ends when the port is closed, with all that waits for it", async () => {
    const asked = Promise.withResolvers<void>();
    const node = await scripted(() => {
      asked.resolve();
      return null;
    });
    const port = portTo(node.address);
    const waiting = rejectionCode(port.blocks(HASH, 1, never));
    await asked.promise;
    port.close();
    port.close();
    expect(await waiting).toBe("run/aborted");
    expect(await rejectionCode(port.tip(never))).toBe("run/aborted");
  });

  it("ends under a flood of what nobody asked for", async () => {
    const value = { rejectReason: 0, rejectDetail: "x".repeat(MIB), error: undefined } as const;
    const part = encodeResponse(0n, { $case: "submitBlock", value });
    const node = await scripted((_, call) => {
      const more = (): void => {
        while (!call.cancelled && call.write(part));
      };
      call.on("drain", more);
      more();
      return null;
    });
    // Long enough that the bound alone can end it.
    const port = portTo(node.address, { callMs: 1_000_000 });
    expect(await rejectionCode(port.blocks(HASH, 1, never))).toBe("wallet/node-unreachable");
  });

  it("ends with an answer of very many parts, which it does not unpack", async () => {
    const block = { hash: "", blueScore: 0n, daaScore: 0n, coinbaseTxid: "", timestamp: 0n };
    const lists = { coinbaseOutputs: [], acceptedActions: [], acceptedTxids: [] };
    const blocks = Array.from({ length: 100_000 }, () => ({ ...block, ...lists }));
    const value = { blocks, reorged: false, sinkBlueScore: 0n, records: EMPTY, error: undefined };
    const node = await scripted(() => ({ $case: "getShieldedBlocks", value }));
    const port = portTo(node.address);
    expect(await rejectionCode(port.blocks(HASH, 1, never))).toBe("wallet/node-unreachable");
  });
});

describe("news over gRPC", () => {
  it("come with each block, and when some may have been missed", async () => {
    const node = await startTestNode(null, { http: null });
    closers.push(() => node.stop());
    const port = portTo(node.grpcAddress ?? "");
    const news = new News();
    const end = port.onNews(news.hear);
    // The subscription is taken.
    await news.reach(1);
    await mineOn(node, recipient(1));
    await news.reach(2);
    await mineOn(node, recipient(1));
    await news.reach(3);
    end();
    const later = new News();
    port.onNews(later.hear);
    await later.reach(1);
    await node.stop();
    await later.reach(2);
    expect(news.told).toBe(3);
  });

  it("come again with the call that opens the stream again", async () => {
    const script: Script = (method) => (method === SUBSCRIBE ? subscribed : pageOf(EMPTY));
    const first = await scripted(script);
    const port = portTo(first.address);
    const news = new News();
    port.onNews(news.hear);
    await news.reach(1);
    first.close();
    await news.reach(2);
    await scripted(script, Number(first.address.split(":")[1]));
    await port.blocks(HASH, 1, never);
    await news.reach(3);
  });

  it("are no error of a node that has none", async () => {
    const node = await scripted((method) => (method === SUBSCRIBE ? null : pageOf(EMPTY)));
    const port = portTo(node.address);
    const news = new News();
    port.onNews(news.hear);
    expect(await port.blocks(HASH, 1, never)).toMatchObject({ count: 0 });
    expect(news.told).toBe(0);
  });
});

describe("the waiting payments over gRPC", () => {
  it("are records without a block, as the scanner takes them", async () => {
    const node = await startTestNode(null, { http: null });
    closers.push(() => node.stop());
    for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) {
      await node.api.submitBlock(raw, never);
    }
    const port = portTo(node.grpcAddress ?? "");
    expect(await port.pool(never)).toEqual([]);
    const payments = ["plain", "waiting"].map((name) => fixture.payment(name));
    for (const { raw } of payments) await node.api.submitTransaction(raw, never);
    const waiting = await port.pool(never);
    expect(waiting.map(({ txid }) => txid)).toEqual(payments.map(({ txid }) => txid));
    for (const [place, { page }] of waiting.entries()) {
      const [record] = readRecords(page);
      const [transaction] = record?.transactions ?? [];
      expect(transaction?.txid).toBe(payments[place]?.txid);
      const spent = transaction?.actions.map(({ nullifier }) => nullifier);
      expect(spent).toContain(payments[place]?.nullifier);
    }
  });

  it("are refused in another form, and beyond their number", async () => {
    const payment = new ByteWriter().raw(new Uint8Array(32)).u16(0).toBytes();
    let payments = Array.from({ length: PROTOCOL_LIMITS.poolPageMax }, () => payment);
    const node = await scripted(() => poolOf(payments));
    const port = portTo(node.address);
    expect(await port.pool(never)).toHaveLength(PROTOCOL_LIMITS.poolPageMax);
    payments = [...payments, payment];
    expect(await rejectionCode(port.pool(never))).toBe("codec/count-too-large");
    payments = [payment.subarray(1)];
    expect(await rejectionCode(port.pool(never))).toBe("codec/unexpected-end");
  });
});

describe("a node of the parent network", () => {
  it("is named as one that serves compact records alone", async () => {
    const served: { records: Uint8Array | undefined } = { records: undefined };
    const node = await scripted((method) => {
      if (method === 1_122) return pageOf(served.records);
      const value = { networkName: "", blockCount: 0n, headerCount: 0n };
      const more = { tipHashes: [], difficulty: 0, pastMedianTime: 0n, virtualParentHashes: [] };
      const rest = { pruningPointHash: HASH, virtualDaaScore: 0n, sink: HASH };
      const none = { shieldedTip: undefined, error: undefined };
      return { $case: "getBlockDagInfo", value: { ...value, ...more, ...rest, ...none } };
    });
    const port = portTo(node.address);
    expect(port.kind).toBeNull();
    for (const call of [port.tip(never), port.blocks(HASH, 1, never)]) {
      expect(await rejectionCode(call)).toBe("wallet/node-compact-only");
    }
    expect(port.kind).toBe("compact");
    served.records = EMPTY;
    await port.blocks(HASH, 1, never);
    expect(port.kind).toBe("whole");
  });
});
