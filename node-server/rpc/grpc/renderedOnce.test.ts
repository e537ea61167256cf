/** The real gRPC server with many clients: what an event costs it does not grow with their number. */
import { afterEach, describe, expect, it } from "vitest";
import { asBlockHash, asBlueScore, asChainIndex, asDaaScore } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ResponsePayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { createLog } from "../../platform/log/log.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import type { NodeNotification } from "../service/nodeApi.ts";
import { FakeNode, hashOf } from "../testkit/fakeNode.ts";
import { GrpcClient } from "../../client/grpcClient.ts";
import { startGrpcServer, type GrpcServer } from "./grpcServer.ts";

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Clients of each kind. */
const EACH = 4;

/** A node that counts what is asked of it to describe blocks and chains. */
class CountingNode extends FakeNode {
  readonly asked = { blockFacts: 0, virtualChainFrom: 0 };

  constructor() {
    super();
    this.answers.blockFacts = (hash) => {
      this.asked.blockFacts += 1;
      return blockFacts(hash);
    };
    this.answers.blockBytes = () => undefined;
    this.answers.chainHashAt = () => hashOf(0);
    this.answers.virtualChainFrom = () => {
      this.asked.virtualChainFrom += 1;
      const added = [{ hash: hashOf(1), acceptedTxids: [hashOf(7)] }];
      return JSON.stringify({ removed: [], added });
    };
  }
}

function blockFacts(hash: string): string {
  const lists = { blues: [], reds: [], parents: [], children: [], txids: [] };
  return JSON.stringify({
    ...lists,
    hash,
    status: "valid",
    selectedParent: hashOf(0),
    isChainBlock: true,
    blueScore: "1",
    daaScore: "1",
    blueWork: "1",
    timestamp: "1",
    difficulty: 1,
  });
}

const blockAdded = (byte: number): NodeNotification => ({
  type: "blockAdded",
  hash: asBlockHash(hashOf(byte)),
  parents: [asBlockHash(hashOf(0))],
});

/** News of a block on top of the chain, and how often somebody read what it adds. */
function chainMoved(): { readonly news: NodeNotification; readonly reads: () => number } {
  let reads = 0;
  const hash = asBlockHash(hashOf(1));
  const scores = { blueScore: asBlueScore(1n), daaScore: asDaaScore(1n) };
  const removed = [asBlockHash(hashOf(2))];
  const news: NodeNotification = {
    type: "virtualChanged",
    get removed() {
      reads += 1;
      return removed;
    },
    added: [{ hash, index: asChainIndex(1n), ...scores, applied: [], dropped: [] }],
    sink: hash,
    sinkBlueScore: asBlueScore(1n),
    daaScore: asDaaScore(2n),
    tips: [hash],
    last: true,
  };
  return { news, reads: () => reads };
}

type Subscription = "blocks" | "chain" | "chainWithIds";

/** A client that keeps what it is told. */
class Listener {
  readonly heard: ResponsePayload[] = [];
  readonly #client: GrpcClient;
  #onHeard: () => void = () => {};

  constructor(server: GrpcServer) {
    this.#client = new GrpcClient(server.address);
    this.#client.onNotification((notification) => {
      this.heard.push(notification);
      this.#onHeard();
    });
    closers.push(() => this.#client.close());
  }

  async subscribe(to: Subscription): Promise<this> {
    if (to === "blocks") {
      await this.#client.call({ $case: "notifyBlockAdded", value: { command: undefined } });
    } else {
      const value = { includeAcceptedTransactionIds: to === "chainWithIds", command: undefined };
      await this.#client.call({ $case: "notifyVirtualChainChanged", value });
    }
    return this;
  }

  async told(count: number): Promise<readonly ResponsePayload[]> {
    while (this.heard.length < count) {
      await new Promise<void>((resolve) => (this.#onHeard = resolve));
    }
    return this.heard;
  }
}

async function serve() {
  const node = new CountingNode();
  const clock = new ManualClock(0n);
  const log = createLog("silent");
  const server = await startGrpcServer({ node, host: "127.0.0.1", port: 0, clock, log });
  closers.push(() => server.stop());
  const clients = (to: Subscription): Promise<Listener[]> =>
    Promise.all(Array.from({ length: EACH }, () => new Listener(server).subscribe(to)));
  return { node, clients };
}

describe("an event", () => {
  it("is described once for all who asked for blocks, and anew for the next event", async () => {
    const { node, clients } = await serve();
    const listeners = await clients("blocks");
    for (const count of [1, 2, 3]) {
      node.tell(blockAdded(count));
      const told = await Promise.all(listeners.map((listener) => listener.told(count)));
      expect(node.asked.blockFacts).toBe(count);
      for (const heard of told) {
        const hash = hashOf(count);
        expect(heard.at(-1)).toMatchObject({
          $case: "blockAdded",
          value: { block: { verboseData: { hash } } },
        });
      }
    }
  });

  it("is put into words once for those who want ids of payments, and once for those who do not", async () => {
    const { node, clients } = await serve();
    const [without, withIds] = await Promise.all([clients("chain"), clients("chainWithIds")]);
    const { news, reads } = chainMoved();
    node.tell(news);
    const told = await Promise.all([...without, ...withIds].map((listener) => listener.told(1)));
    expect(node.asked.virtualChainFrom).toBe(1);
    expect(reads()).toBe(2);
    const ids = told.map(([heard]) =>
      heard?.$case === "virtualChainChanged"
        ? heard.value.acceptedTransactionIds.map((of) => of.acceptedTransactionIds)
        : null,
    );
    expect(ids).toEqual([...without.map(() => []), ...withIds.map(() => [[hashOf(7)]])]);
  });

  it("that could not be described once is tried anew for those who come later", async () => {
    const { node, clients } = await serve();
    const answer = node.answers.blockFacts;
    node.answers.blockFacts = () => {
      throw new SvcError("engine/restarted", {});
    };
    await clients("blocks");
    const news = blockAdded(1);
    node.tell(news);
    if (answer !== undefined) node.answers.blockFacts = answer;
    const [later] = await clients("blocks");
    node.tell(news);
    expect(await later?.told(1)).toHaveLength(1);
  });
});
