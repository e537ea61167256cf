/** Peers that send malformed, unknown or oversized messages: disconnected with a penalty, and nothing else happens. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { MESSAGE_BOUNDS } from "@svc/node-server/p2p/link/messageBounds.ts";
import {
  writeEnvelope,
  type P2pName,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { P2P_LIMITS } from "@svc/node-server/p2p/p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { seededRandom, type SeededRandom } from "../../testkit/seededRandom.ts";
import { HostilePeer, MESSAGE_NAMES } from "./hostilePeer.ts";
import { chargeFor } from "./charges.ts";
import { nextLinkEnd } from "./linkEnds.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, SHORT } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";

const NETWORK = "svc-prune";
const LENGTH_DELIMITED = 2;
const UNKNOWN_NUMBER = 90;
/** More than enough minor faults for the end. */
const UNKNOWN_MESSAGES = 150;
/** MiB that a node may grow under floods: the garbage of what it decoded and dropped among them. */
const GROWTH_MIB = 300;
const FLOOD = IS_FULL ? 200_000 : 4_000;
const HASH_BYTES = 32;
/** At once: many times what a route holds. */
const BURST = 5_000;
/** Bytes of one visitor's unasked answers: less than what its own side of the link lets wait. */
const UNASKED_BYTES = 48 * 1024 * 1024;
/** MiB that a node may grow under them: half of what all visitors send. */
const UNASKED_GROWTH_MIB = 144;
/** Of one answer, if its kind may be so large. */
const ANSWER_BYTES = 8 * 1024 * 1024;
/** Longer than what a compressor looks back. */
const NOISE_BYTES = 64 * 1024;

let chain: StoredChain;
let scene: Scene;
let victim: NodeProcess;
let random: SeededRandom;
beforeAll(async () => {
  chain = await storedChain(SHORT);
});
beforeEach(async () => {
  random = seededRandom("garbage");
  scene = new Scene(SHORT.profile);
  scene.copyStore({ from: chain.path, name: "victim" });
  victim = await scene.node({ name: "victim" });
});

const visit = (): Promise<HostilePeer> =>
  HostilePeer.visit({ port: victim.peerPort, network: NETWORK });

/** An envelope with this content, whatever it is. */
function envelopeOf(number: number, content: Uint8Array): Uint8Array {
  const tag = number * 8 + LENGTH_DELIMITED;
  return new BinaryWriter().uint32(tag).bytes(content).finish();
}

function noise(length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

const left = (): SvcError => new SvcError("p2p/closed", {});

test("bytes that are no message end the link of every type, and cost what the registry says", async () => {
  const before = await victim.tip();
  for (const name of MESSAGE_NAMES) {
    const peer = await visit();
    const ended = nextLinkEnd(victim, PATIENCE_MS);
    await peer.send(envelopeOf(MESSAGE_BOUNDS[name][0], new Uint8Array(24).fill(0xff)));
    const { code, message, penalty } = await ended;
    expect(["p2p/bad-message", "p2p/unexpected-message"], `${name}: ${message}`).toContain(code);
    expect(penalty, name).toBe(chargeFor(code));
  }
  expect((await victim.tip()).sink).toBe(before.sink);
});

test("messages of noise and messages without content are answered, or end the link at their cost", async () => {
  const before = await victim.tip();
  let [heard, ended] = [0, 0];
  for (const name of MESSAGE_NAMES) {
    for (const content of [new Uint8Array(), noise(random.below(300))]) {
      const peer = await visit();
      const end = nextLinkEnd(victim, PATIENCE_MS);
      await peer.send(envelopeOf(MESSAGE_BOUNDS[name][0], content));
      const isHeard = await peer.isHeard();
      await peer.leave(left());
      const { code, message, penalty } = await end;
      const what = `${name}, ${content.length} bytes: ${message}`;
      if (isHeard) expect([code, penalty], what).toEqual(["p2p/closed", "none"]);
      // Whoever ends the link in words owes nothing for it.
      else if (code === "p2p/rejected") expect([name, penalty], what).toEqual(["reject", "none"]);
      else expect(penalty, what).toBe(chargeFor(code));
      if (isHeard) heard += 1;
      else ended += 1;
    }
  }
  console.info(`${heard} messages were answered, ${ended} ended the link`);
  expect(Math.min(heard, ended)).toBeGreaterThan(0);
  expect((await victim.tip()).sink).toBe(before.sink);
});

test("unknown messages are skipped, and too many of them end the link", async () => {
  const peer = await visit();
  await peer.send(envelopeOf(UNKNOWN_NUMBER, noise(40)));
  expect(await peer.isHeard()).toBe(true);
  const ended = nextLinkEnd(victim, PATIENCE_MS);
  for (let sent = 0; sent < UNKNOWN_MESSAGES; sent += 1) {
    await peer.send(envelopeOf(UNKNOWN_NUMBER, noise(40)));
  }
  expect((await ended).code).toBe("p2p/unknown-message");
});

/** One flood each: the message of a number. */
const FLOODS: Partial<Record<P2pName, () => P2pPayload>> = {
  invRelayBlock: () => ({ $case: "invRelayBlock", value: { hash: { bytes: noise(HASH_BYTES) } } }),
  invTransactions: () => ({
    $case: "invTransactions",
    value: { ids: Array.from({ length: 100 }, () => ({ bytes: noise(HASH_BYTES) })) },
  }),
  ping: () => ({ $case: "ping", value: { nonce: BigInt(random.below(1_000_000)) } }),
  requestAddresses: () => ({
    $case: "requestAddresses",
    value: { includeAllSubnetworks: true, subnetworkId: undefined },
  }),
  requestPruningPointProof: () => ({ $case: "requestPruningPointProof", value: {} }),
  requestIbdChainBlockLocator: () => ({
    $case: "requestIbdChainBlockLocator",
    value: { lowHash: undefined, highHash: undefined },
  }),
};

/** What another thread answers: a flood of it may wait for that, up to a bound. */
const SLOWLY_ANSWERED: readonly string[] = [
  "requestPruningPointProof",
  "requestIbdChainBlockLocator",
];

test("floods cost bounded memory, and do not keep an honest peer's blocks away", async () => {
  scene.copyStore({ from: chain.path, name: "honest" });
  const honest = await scene.node({ name: "honest", peers: [victim.peerPort] });
  await victim.keysReady(PATIENCE_MS);
  const [before, blocks] = [victim.peakMiB(), (await honest.tip()).blockCount];
  const ends = victim.gather(/"a link ended"/);
  // All are in before the first one begins, or they would not be in time with their handshakes.
  const visitors: (readonly [string, () => P2pPayload, HostilePeer])[] = [];
  for (const [name, make] of Object.entries(FLOODS)) visitors.push([name, make, await visit()]);
  const floods = visitors.map(async ([name, make, peer]) => {
    let sent = 0;
    for (; sent < FLOOD && !peer.link.signal.aborted; sent += 1) {
      await peer.send(writeEnvelope({ payload: make(), responseId: 0, requestId: 0 }));
    }
    const isHeard = await peer.isHeard();
    await peer.leave(left());
    return { name, sent, isHeard };
  });
  const mined = 20;
  await mineAt(honest, mined, payAddressOf(1));
  const wanted = blocks + BigInt(mined);
  await victim.untilTip("the blocks", ({ blockCount }) => blockCount === wanted, PATIENCE_MS);
  const floodedBy = (name: string): number =>
    ends.filter((line) => line.includes(`p2p/flooded (message=${name},`)).length;
  for (const { name, sent, isHeard } of await Promise.all(floods)) {
    // All of it was worked through, or it was more than may wait for an answer.
    if (isHeard) expect([sent, floodedBy(name)], name).toEqual([FLOOD, 0]);
    else {
      expect(SLOWLY_ANSWERED, name).toContain(name);
      expect(sent, name).toBeGreaterThan(P2P_LIMITS.p2pRouteMessages);
      await expect.poll(() => floodedBy(name), { timeout: PATIENCE_MS }).toBe(1);
    }
  }
  expect(victim.peakMiB() - before).toBeLessThan(GROWTH_MIB);
  const recordsAfter = genesisHashOf(scene.profile);
  await expectSame(victim, honest, { recordsAfter, limitMs: PATIENCE_MS });
});

/** What is answered more slowly than it comes, by another thread; of pongs one at a time is waited for. */
const BURSTS: readonly P2pPayload[] = [
  { $case: "requestPruningPointProof", value: {} },
  { $case: "requestPruningPointAndItsAnticone", value: {} },
  { $case: "requestIbdChainBlockLocator", value: { lowHash: undefined, highHash: undefined } },
  { $case: "pong", value: { nonce: 1n } },
];

test("more messages than a route holds end the link, as a minor fault", async () => {
  const before = await victim.tip();
  for (const payload of BURSTS) {
    const peer = await visit();
    const ended = nextLinkEnd(victim, PATIENCE_MS);
    peer.flood(writeEnvelope({ payload, responseId: 0, requestId: 0 }), BURST);
    const { code, message, penalty } = await ended;
    expect(code, message).toBe("p2p/flooded");
    expect(message).toContain(`message=${payload.$case},`);
    expect(penalty, message).toBe("minor");
    await peer.link.ended;
  }
  expect((await victim.tip()).sink).toBe(before.sink);
});

/** Large answers to questions that were not asked. */
const UNASKED: readonly P2pName[] = [
  "block",
  "transaction",
  "ibdBlock",
  "blockBody",
  "blockHeaders",
  "shieldedHistoryChunk",
];

test("large answers that nobody asked for end the link, and cost bounded memory", async () => {
  await victim.keysReady(PATIENCE_MS);
  const [before, { sink }] = [victim.peakMiB(), await victim.tip()];
  const part = noise(NOISE_BYTES);
  for (const name of UNASKED) {
    const [number, bound] = MESSAGE_BOUNDS[name];
    const length = Math.min(bound.bytes, ANSWER_BYTES);
    const answer = envelopeOf(number, Buffer.alloc(length, part));
    const peer = await visit();
    const ended = nextLinkEnd(victim, PATIENCE_MS);
    peer.flood(answer, Math.floor(UNASKED_BYTES / length));
    const { code, message, penalty } = await ended;
    expect(code, message).toBe("p2p/unexpected-message");
    expect(message).toContain(`message=${name})`);
    expect(penalty, message).toBe(chargeFor(code));
    await peer.link.ended;
  }
  expect(victim.peakMiB() - before).toBeLessThan(UNASKED_GROWTH_MIB);
  expect((await victim.tip()).sink).toBe(sink);
});
