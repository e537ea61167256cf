/** Tests that the requests of a wallet, bytes and times, do not depend on which notes are its own (decision 23). */
import { describe, expect, it } from "vitest";
import { asChainIndex } from "../../base/brand.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { SvcError } from "../../base/svcError.ts";
import { HttpNode } from "../node/httpNode.ts";
import { openWallet } from "./openWallet.ts";
import type { RecordPage, ScanPort } from "../state/ports.ts";
import type { ScanFacts } from "../state/scanFacts.ts";
import { ChainModel, EPOCH_POLICY, freshWallet } from "../testkit/chainModel.ts";
import { LIES, storyOf } from "../testkit/lies.ts";
import { modelFetch, type RequestLog } from "../testkit/modelFetch.ts";
import { FoldTree, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";
import { SimClock } from "../testkit/simClock.ts";
import { WalletLoop } from "./walletLoop.ts";

const identity = freshWallet().account;
const PAGE_BLOCKS = 3;
/** What a note of one's own costs to scan and store, in the simulated clock. */
const MS_PER_NOTE = 450;
/** Simulated time of a session. */
const SESSION_MS = 60_000;
/** The same where a node's chain never ends: a wallet asks for pages all the time, and the logs are long soon. */
const ENDLESS_MS = IS_FULL ? SESSION_MS : SESSION_MS / 4;

/** Finds the notes of the model, and takes its time for each. */
class OwnerScan implements ScanPort {
  readonly #inner: ModelScan;
  readonly #clock: SimClock;

  constructor(model: ChainModel, clock: SimClock) {
    this.#inner = new ModelScan(model);
    this.#clock = clock;
  }

  async scan(page: RecordPage, signal: AbortSignal): Promise<ScanFacts> {
    const facts = await this.#inner.scan(page);
    const notes = facts.blocks.flatMap((block) => block.notes).length;
    if (notes > 0) await this.#clock.sleep(notes * MS_PER_NOTE, signal);
    return facts;
  }
}

/** Sees the same pages and finds nothing. */
class StrangerScan implements ScanPort {
  readonly #inner: ModelScan;

  constructor(model: ChainModel) {
    this.#inner = new ModelScan(model);
  }

  async scan(page: RecordPage): Promise<ScanFacts> {
    const facts = await this.#inner.scan(page);
    return { ...facts, blocks: facts.blocks.map((block) => ({ ...block, notes: [], refused: 0 })) };
  }
}

type Watched = { readonly log: RequestLog; readonly notes: number; readonly lied: boolean };

/** Runs a wallet against a node for a session, closes it, and opens it again for another. */
async function watch(
  node: ModelNode,
  scanOf: (model: ChainModel, clock: SimClock) => ScanPort,
  sessionMs = SESSION_MS,
): Promise<Watched> {
  const clock = new SimClock();
  const log: RequestLog = [];
  const store = new MemoryStore();
  let notes = 0;
  let lied = false;
  for (let session = 0; session < 2; session += 1) {
    const parts = {
      policy: EPOCH_POLICY,
      node: new HttpNode("http://node", modelFetch(node, clock, log)),
      scan: scanOf(node.model, clock),
      store,
      clock,
      makeTree: (bytes: Uint8Array) => new FoldTree(bytes),
      pageBlocks: PAGE_BLOCKS,
    };
    const stop = new AbortController();
    const running = openWallet(parts, identity, "genesis", stop.signal).then(async (sync) => {
      const loop = new WalletLoop({ ...parts, sync }, PAGE_LIMITS.walletPollMs, () => undefined);
      await loop.run(stop.signal);
      return sync;
    });
    const outcome = running.catch(() => null);
    await clock.run(sessionMs);
    stop.abort();
    await clock.run(0);
    const sync = await outcome;
    notes = sync?.state.notes.length ?? notes;
    lied ||= sync !== null && sync.state.contradiction !== null;
    await sync?.close();
    log.push("-- the wallet is opened again --");
  }
  return { log, notes, lied };
}

const owner = (node: ModelNode, sessionMs?: number) =>
  watch(node, (model, clock) => new OwnerScan(model, clock), sessionMs);
const stranger = (node: ModelNode, sessionMs?: number) =>
  watch(node, (model) => new StrangerScan(model), sessionMs);

/** What a wallet asks that comes back to this node after it was closed at block `stoppedAt` of another one. */
async function cameBack(stoppedAt: number, tell: (truth: ChainModel) => ModelNode) {
  const model = new ChainModel();
  model.addEmpty(stoppedAt);
  const clock = new SimClock();
  const store = new MemoryStore();
  const log: RequestLog = [];
  for (const node of [new ModelNode(model), null]) {
    if (node === null) model.addEmpty(40 - stoppedAt);
    const asked = node ?? tell(model);
    const parts = {
      // As many blocks as hold the starts of two epochs, and of a third one in some wallets only.
      policy: { ...EPOCH_POLICY, recentBlocks: 11 },
      node: new HttpNode("http://node", modelFetch(asked, clock, log)),
      scan: new ModelScan(model),
      store,
      clock,
      makeTree: (bytes: Uint8Array) => new FoldTree(bytes),
    };
    if (node === null) log.length = 0;
    const stop = new AbortController();
    const sync = await openWallet(parts, identity, "genesis", stop.signal);
    const loop = new WalletLoop({ ...parts, sync }, PAGE_LIMITS.walletPollMs, () => undefined);
    const running = loop.run(stop.signal);
    await clock.run(60_000);
    stop.abort();
    await clock.run(0);
    await running;
    await sync.close();
  }
  // What the model calls its later blocks depends on when it made them.
  return log.map((line) => line.replaceAll(/[0-9a-f]{64}/g, (hash) => `#${model.indexOf(hash)}`));
}

/** Answers by which a node may hope to see how far a wallet came. */
const REFUSALS: readonly ((hash: string, truth: ChainModel) => Promise<RecordPage>)[] = [
  (hash) => Promise.reject(new SvcError("chain/unknown-block", { hash })),
  async () => ({ firstIndex: asChainIndex(1n), count: 3, body: new Uint8Array(50) }),
  // A block that only some of the wallets remember.
  (_, truth) => {
    const commonHash = truth.at(19)?.hash ?? "";
    return Promise.reject(new SvcError("chain/not-on-chain", { commonHash, chainIndex: 19 }));
  },
];

describe("what a node sees of a wallet that comes back", () => {
  it("is the same wherever in its epoch it was closed, however the node refuses", async () => {
    for (const refusal of REFUSALS) {
      const logs: (readonly string[])[] = [];
      for (const stoppedAt of [29, 30, 31, 32]) {
        const tell = (truth: ChainModel) =>
          Object.assign(new ModelNode(truth), { blocks: (hash: string) => refusal(hash, truth) });
        logs.push(await cameBack(stoppedAt, tell));
      }
      for (const log of logs.slice(1)) expect(log).toEqual(logs[0]);
      expect(logs[0]?.some((line) => line.includes("after=#28"))).toBe(true);
    }
  });
});

describe("what a node sees of a wallet", () => {
  it("is the same for the owner of the notes and for a stranger", async () => {
    const [own, other] = [
      await owner(new ModelNode(storyOf())),
      await stranger(new ModelNode(storyOf())),
    ];
    expect([own.notes, other.notes]).toEqual([3, 0]);
    expect(own.log).toEqual(other.log);
    expect(own.log.filter((line) => line.includes("/v1/blocks")).length).toBeGreaterThan(6);
  });

  it.each(LIES.map((lie) => [lie.name, lie] as const))(
    "stays the same when the node tells: %s",
    async (_, lie) => {
      const sessionMs = lie.name.includes("never reached") ? ENDLESS_MS : SESSION_MS;
      const own = await owner(lie.tell(storyOf()), sessionMs);
      const other = await stranger(lie.tell(storyOf()), sessionMs);
      expect(own.log).toEqual(other.log);
      expect([own.lied, other.lied]).toEqual([lie.seenByOwner === true, false]);
    },
  );

  it("is bounded while the scan cannot keep up, and goes on by whole steps of time", async () => {
    const model = new ChainModel();
    model.addEmpty(240);
    const clock = new SimClock();
    const log: RequestLog = [];
    let scanned = 0;
    const inner = new ModelScan(model);
    const scan: ScanPort = {
      scan: async (page, signal) => {
        await clock.sleep(3_333, signal);
        scanned += 1;
        return inner.scan(page);
      },
    };
    const node = new HttpNode("http://node", modelFetch(new ModelNode(model), clock, log));
    const parts = {
      policy: EPOCH_POLICY,
      node,
      scan,
      store: new MemoryStore(),
      clock,
      makeTree: (bytes: Uint8Array) => new FoldTree(bytes),
      pageBlocks: PAGE_BLOCKS,
    };
    const { signal } = new AbortController();
    const sync = await openWallet(parts, identity, "genesis", signal);
    const following = sync.follow(signal);
    const times: number[] = [];
    for (let second = 0; second < 30; second += 1) {
      await clock.run(1_000);
      const asked = log.filter((line) => line.includes("/v1/blocks")).length;
      expect(asked - scanned).toBeLessThanOrEqual(WALLET_LIMITS.walletPagesAhead + 1);
    }
    await clock.run(300_000);
    await following;
    for (const line of log) times.push(Number(line.split(" ")[0]));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    // Three leaves a page make the pause one millisecond longer.
    const pace = WALLET_LIMITS.walletPageEveryMs + 1;
    const stalls = gaps.map((gap) => gap - pace).filter((gap) => gap > 0);
    expect(stalls.length).toBeGreaterThan(3);
    expect(stalls.filter((gap) => gap % WALLET_LIMITS.walletStallStepMs !== 0)).toEqual([]);
  });
});
