/** A network for twenty minutes, whose nodes are stopped and killed and come again: nobody is stuck, nobody grows. */
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { chainFacts } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { PayingWallet } from "./payingWallet.ts";
import { PATIENCE_MS, PRUNED, SHORT } from "../testkit/networkSizes.ts";
import { core, Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import type { LineQuality } from "../testkit/tcpProxy.ts";

const SOAK_MS = 20 * 60_000;
/** Nodes that come and go, beside the one that stays. */
const GUESTS = 5;
/** Milliseconds between two blocks, and blocks between two departures. */
const BLOCK_MS = 1_000;
const CHURN_BLOCKS = 15;
/** Blocks between two payments. */
const PAYMENT_BLOCKS = 60;
/** MiB by which the node that stays may grow from the fifth minute on. */
const GROWTH_MIB = 150;
const SETTLED_MS = 5 * 60_000;
/** What is asked of the main thread while a node catches up; milliseconds of the processor. */
const HELD_MS = 50;
const PERCENTILE = 0.99;
/** What `holdProbe.ts` prints. */
const HELD = /^held for ([\d.]+) ms$/;
const BAD: LineQuality = {
  delayMs: 40,
  jitterMs: 30,
  lossPerMille: 5,
  resendMs: 200,
  bytesPerSecond: null,
};
const holdProbe = fileURLToPath(new URL("holdProbe.ts", import.meta.url));

/** The node that stays, and those that come and go. */
class Soak {
  readonly #scene: Scene;
  readonly #wallet: PayingWallet;
  readonly #guests = new Map<number, NodeProcess>();
  readonly host: NodeProcess;
  readonly #port: number;

  private constructor(
    scene: Scene,
    wallet: PayingWallet,
    { host, port }: { readonly host: NodeProcess; readonly port: number },
  ) {
    this.#scene = scene;
    this.#wallet = wallet;
    this.host = host;
    this.#port = port;
  }

  static async begin(scene: Scene, chain: StoredChain): Promise<Soak> {
    scene.copyStore({ from: chain.path, name: "host" });
    const host = await scene.node({ name: "host" });
    await host.keysReady(PATIENCE_MS);
    const wallet = await PayingWallet.open(core, scene.profile, host.http);
    onTestFinished(() => wallet.close());
    const { port } = await scene.line(host.peerPort, BAD);
    const soak = new Soak(scene, wallet, { host, port });
    for (let guest = 0; guest < GUESTS; guest += 1) await soak.#come(guest);
    return soak;
  }

  get guests(): readonly NodeProcess[] {
    return [...this.#guests.values()];
  }

  /** A block, now and then a payment, and now and then somebody leaves in one way or the other and comes again. */
  async step(blocks: number): Promise<void> {
    const { random } = this.#scene;
    const guest = random.below(GUESTS);
    const miner = random.below(2) === 0 ? this.host : (this.#guests.get(guest) ?? this.host);
    await mineAt(miner, 1, payAddressOf(1 + guest));
    if (blocks % PAYMENT_BLOCKS === 1) await this.#wallet.pay(`payment ${blocks}`);
    if (blocks % CHURN_BLOCKS !== 0) return;
    const leaving = this.#guests.get(guest);
    this.#guests.delete(guest);
    if (random.below(2) === 0) await leaving?.kill();
    else await leaving?.stop();
    await this.#come(guest);
  }

  /**
   * One block more, and whether all stand on it alone, with all payments applied. It merges what was made apart; what was on
   * its way when it was made is merged by the next.
   */
  async settles(): Promise<boolean> {
    await mineAt(this.host, 1, payAddressOf(1));
    const { sink } = await this.host.tip();
    for (const node of [this.host, ...this.guests]) {
      await node.untilTip("the host's sink", (tip) => tip.sink === sink, PATIENCE_MS);
    }
    const tips = await Promise.all([this.host, ...this.guests].map((node) => node.tip()));
    return tips.every(({ virtualParents, mempoolSize }) => {
      return virtualParents.join() === sink && mempoolSize === 0;
    });
  }

  async #come(guest: number): Promise<void> {
    const neighbour = this.#guests.get((guest + 1) % GUESTS);
    const peers = [this.#port, ...(neighbour === undefined ? [] : [neighbour.peerPort])];
    this.#guests.set(guest, await this.#scene.node({ name: `guest-${guest}`, peers }));
  }
}

describe.skipIf(!IS_FULL)("twenty minutes", () => {
  let chain: StoredChain;
  beforeAll(async () => {
    chain = await storedChain(SHORT);
  });

  test("of churn leave all nodes agreed and none larger", { timeout: 3 * SOAK_MS }, async () => {
    const scene = new Scene(SHORT.profile);
    const soak = await Soak.begin(scene, chain);
    const begun = performance.now();
    let [blocks, settledMiB] = [0, 0];
    while (performance.now() - begun < SOAK_MS) {
      const dueMs = begun + blocks * BLOCK_MS - performance.now();
      if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
      blocks += 1;
      await soak.step(blocks);
      const hasSettled = performance.now() - begun > SETTLED_MS;
      if (hasSettled && settledMiB === 0) settledMiB = soak.host.residentMiB();
    }
    expect(soak.host.residentMiB() - settledMiB).toBeLessThan(GROWTH_MIB);
    await untilSo(() => soak.settles(), PATIENCE_MS);
    const recordsAfter = genesisHashOf(scene.profile);
    for (const guest of soak.guests) {
      const facts = await chainFacts(guest, { recordsAfter });
      expect(facts).toEqual(await chainFacts(soak.host, { recordsAfter }));
    }
  });
});

describe.skipIf(!IS_FULL)("the main thread of a node that catches up", () => {
  let chain: StoredChain;
  beforeAll(async () => {
    chain = await storedChain(PRUNED);
  });

  test(`is held for less than ${HELD_MS} ms`, { timeout: PATIENCE_MS }, async () => {
    const scene = new Scene(PRUNED.profile);
    scene.copyStore({ from: chain.path, name: "source" });
    const source = await scene.node({ name: "source" });
    const fresh = await scene.node({ name: "fresh", imports: [holdProbe] });
    await fresh.keysReady(PATIENCE_MS);
    const lines = fresh.gather(HELD);
    await fresh.addPeer(source.peerPort);
    await fresh.line(/"caught up"/, PATIENCE_MS);
    const held = lines.map((line) => Number(HELD.exec(line)?.[1]));
    expect(held.length).toBeGreaterThan(0);
    const sorted = held.toSorted((a, b) => a - b);
    expect(sorted[Math.ceil(PERCENTILE * sorted.length) - 1]).toBeLessThan(HELD_MS);
  });
});
