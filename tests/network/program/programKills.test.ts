/**
 * The program killed at random moments, while it starts, while blocks and payments arrive, and while it catches up: what it
 * acknowledged is there afterwards.
 */
import { rmSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import * as v from "valibot";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { NodeProcess } from "../testkit/nodeProcess.ts";
import { expectSoundStore } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, SHALLOW, SHORT } from "../testkit/networkSizes.ts";
import { untilKnown } from "../testkit/paymentsOf.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE } from "../testkit/tcpProxy.ts";
import { LONG_HANG_MS } from "../../testkit/hangMs.ts";

const KILLS = killsOf({ reduced: 6, full: 60 });
/** Kills of one store before it is looked at as a whole and another one begins. */
const KILLS_OF_ONE_STORE = 10;
/** Most blocks that are acknowledged before a kill. */
const ACKS = 4;
/** Most turns of the event loop between a request and the kill. */
const TURNS = 3_000;
/** Most lines of the log before a kill of a node that catches up. */
const LINES = 60;
const CAUGHT_UP = /"caught up"/;
/** Slow enough that catching up lasts for several kills. */
const SLOW = { ...PERFECT_LINE, delayMs: 5, bytesPerSecond: 2_000_000 };

const submitted = v.object({ txid: v.string() });
let short: StoredChain;
let shallow: StoredChain;
beforeAll(async () => {
  short = await storedChain(SHORT);
  shallow = await storedChain(SHALLOW);
});

async function submit(node: NodeProcess, raw: Uint8Array): Promise<string> {
  const response = await fetch(`${node.http}/v1/tx`, { method: "POST", body: raw.slice() });
  return v.parse(submitted, await response.json()).txid;
}

/** A node that mines and is paid, and everything that it acknowledged. */
class Acknowledged {
  readonly #sinks = new Set<string>();
  readonly #txids = new Set<string>();
  #blocks = BigInt(short.blocks.length);

  /** Hands in one block and notes where the chain stands then. */
  async mine(node: NodeProcess): Promise<void> {
    await mineAt(node, 1, payAddressOf(1));
    this.#blocks += 1n;
    this.#sinks.add((await node.tip()).sink);
  }

  /** Hands in a payment. */
  async pay(node: NodeProcess, raw: Uint8Array): Promise<void> {
    this.#txids.add(await submit(node, raw));
  }

  /** Looks for all of it. */
  async check(node: NodeProcess): Promise<void> {
    const { chainIndex } = await node.tip();
    expect(chainIndex).toBeGreaterThanOrEqual(this.#blocks);
    // A block that nobody heard of may be there too.
    this.#blocks = chainIndex;
    for (const hash of this.#sinks) {
      const value = { hash, includeTransactions: false };
      const { error } = await node.grpc.call({ $case: "getBlock", value });
      expect(error, hash).toBeUndefined();
    }
    await untilKnown(node, this.#txids);
  }
}

/** Lets the event loop go round so often. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function killWhileMining(scene: Scene, name: string, kills: number): Promise<void> {
  const { random } = scene;
  const acknowledged = new Acknowledged();
  const waiting = [...short.waiting];
  scene.copyStore({ from: short.path, name });
  for (let kill = 0; kill < kills; kill += 1) {
    const node = await scene.node({ name });
    await acknowledged.check(node);
    const acks = random.below(ACKS + 1);
    for (let ack = 0; ack < acks; ack += 1) await acknowledged.mine(node);
    const raw = random.below(2) === 0 ? waiting.shift() : undefined;
    if (raw !== undefined) await node.keysReady(PATIENCE_MS);
    // On their way when the signal comes: what is answered before it counts as acknowledged.
    const flights = [acknowledged.mine(node)];
    if (raw !== undefined) flights.push(acknowledged.pay(node, raw));
    const flown = Promise.allSettled(flights);
    await turns(random.below(TURNS));
    await node.kill();
    await flown;
  }
  const node = await scene.node({ name });
  await acknowledged.check(node);
  await acknowledged.mine(node);
  await acknowledged.check(node);
  await node.stop();
}

async function killWhileCatchingUp(scene: Scene, name: string, kills: number): Promise<void> {
  const source = await scene.node({ name: `source of ${name}` });
  const line = await scene.line(source.peerPort, SLOW);
  const spec = {
    name,
    profile: scene.profileFile,
    appdir: scene.appdir(name),
    peers: [line.port],
    watched: [CAUGHT_UP],
  };
  for (let kill = 0; kill < kills; kill += 1) {
    const lines = 1 + scene.random.below(LINES);
    const killed = await NodeProcess.killedAt(spec, { lines, orLine: CAUGHT_UP });
    // One that was through begins again from nothing.
    if (killed.countOf(CAUGHT_UP) > 0) rmSync(scene.appdir(name), { recursive: true });
  }
  const node = await scene.node({ name, peers: [line.port] });
  const { pruningPoint } = await source.tip();
  await expectSame(node, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  await node.stop();
  await expectSoundStore(scene, name);
  await source.stop();
}

test(
  `${KILLS} kills of the program lose nothing acknowledged`,
  { timeout: 2 * LONG_HANG_MS },
  async () => {
    const mining = new Scene(SHORT.profile);
    const catchingUp = new Scene(SHALLOW.profile);
    for (let done = 0; done < KILLS; done += KILLS_OF_ONE_STORE) {
      const kills = Math.min(KILLS_OF_ONE_STORE, KILLS - done);
      const half = Math.ceil(kills / 2);
      await killWhileMining(mining, `node ${done}`, half);
      const name = `fresh ${done}`;
      catchingUp.copyStore({ from: shallow.path, name: `source of ${name}` });
      await killWhileCatchingUp(catchingUp, name, kills - half);
    }
    reportKills("program", KILLS);
  },
);
