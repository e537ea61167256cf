/**
 * First sync of a new node on a network with proof of work: a peer with a cheap pruning proof, a chain with less work than the
 * others, and an operator who pins a block (decision record 28).
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { proofMessage } from "@svc/shared/protocol/p2p/p2pProof.ts";
import { readEnvelope, writeEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { nameOf } from "../peers/alterMessage.ts";
import { chargeFor } from "../peers/charges.ts";
import { readLinkEnd } from "../peers/linkEnds.ts";
import { LyingPeer, type Tamper } from "../peers/lyingPeer.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { PATIENCE_MS, WORKED, WORKED_LESS } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";

let chain: StoredChain;
let lesser: StoredChain;
/** Those who tell the truth, and the one that speaks for a liar: no test changes what they hold. */
let common: Scene;
let honest: readonly [NodeProcess, NodeProcess, NodeProcess];
let behind: NodeProcess;
beforeAll(async () => {
  chain = await storedChain(WORKED);
  lesser = await storedChain(WORKED_LESS);
  common = new Scene(WORKED.profile, { isOfFile: true });
  const [one, two, three, four] = await holders(common, chain, ["one", "two", "three", "behind"]);
  if (one === undefined || two === undefined || three === undefined || four === undefined) {
    throw new Error("no nodes");
  }
  honest = [one, two, three];
  behind = four;
});
beforeEach(() => common.showIfFailed());
afterAll(async () => {
  await common.end();
});

/** A stored proof of 2,700 headers at the easiest bits, some 5,400 hashes, on the genesis of this network. */
function cheapProof(name: "absurd" | "believed"): Uint8Array {
  const file = new URL(`../../fixtures/cheapProof/${name}.bin.gz`, import.meta.url);
  return new Uint8Array(gunzipSync(readFileSync(file)));
}

/** Sends a proof of its own in the place of the honest one. */
function withProof(raw: Uint8Array): Tamper {
  const value = proofMessage(raw);
  return (bytes) => {
    if (nameOf(bytes) !== "pruningPointProof") return bytes;
    return writeEnvelope({
      ...readEnvelope(bytes),
      payload: { $case: "pruningPointProof", value },
    });
  };
}

/** Nodes that hold a chain. */
async function holders(scene: Scene, from: StoredChain, names: readonly string[]) {
  const nodes: NodeProcess[] = [];
  for (const name of names) {
    scene.copyStore({ from: from.path, name });
    nodes.push(await scene.node({ name }));
  }
  return nodes;
}

/** A liar, with a node of its own to speak for it: a victim takes no second link to the same node. */
function startLiar(tamper: Tamper): Promise<LyingPeer> {
  return LyingPeer.start(behind.peerPort, tamper);
}

const portsOf = (nodes: readonly NodeProcess[]): number[] => nodes.map((node) => node.peerPort);

test("the cheap proof, 2,700 easy headers that claim 2^190, takes in no new node, whoever comes first", async () => {
  const scene = new Scene(WORKED.profile);
  const { pruningPoint, genesis } = await honest[0].tip();
  const liar = await startLiar(withProof(cheapProof("absurd")));

  // The bad one first, and alone.
  const first = await scene.node({ name: "first" });
  const ended = first.nextLine(/"a link ended"/, PATIENCE_MS);
  await first.addPeer(liar.port);
  const { code, penalty, message } = readLinkEnd(await ended);
  expect(code, message).toBe("proof/claimed-work");
  expect(penalty).toBe(chargeFor(code));
  expect((await first.tip()).pruningPoint).toBe(genesis);
  for (const port of portsOf(honest)) await first.addPeer(port);
  await expectSame(first, honest[0], { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });

  // One bad and three honest at once.
  const peers = [liar.port, ...portsOf(honest)];
  const among = await scene.node({ name: "among", peers });
  await expectSame(among, honest[0], { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  await liar.stop();
});

test("a cheap proof that claims no more than is believed is outdone by the proofs of three honest peers", async () => {
  const scene = new Scene(WORKED.profile);
  const { pruningPoint } = await honest[0].tip();
  const lie = withProof(cheapProof("believed"));
  const asked = Promise.withResolvers<void>();
  const liar = await startLiar((bytes) => {
    if (nameOf(bytes) === "pruningPointProof") {
      line.fallSilent();
      asked.resolve();
    }
    return lie(bytes);
  });
  // The liar comes first; its proof arrives when the others are there.
  const line = await scene.line(liar.port);
  const victim = await scene.node({ name: "victim", peers: [line.port] });
  await asked.promise;
  for (const port of portsOf(honest)) await victim.addPeer(port);
  await untilSo(async () => (await victim.peerCount()) === 1 + honest.length, PATIENCE_MS);
  line.heal();
  await victim.line(/sync\/outdone/, PATIENCE_MS);
  await expectSame(victim, honest[0], { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  await liar.stop();
});

test("a beginning in a chain with less work gives way to the chain of peers met later", async () => {
  const scene = new Scene(WORKED.profile);
  const [other] = await holders(scene, lesser, ["other"]);
  if (other === undefined) throw new Error("no node");
  const victim = await scene.node({ name: "victim", peers: [other.peerPort] });
  const { sink, pruningPoint: begun, genesis } = await other.tip();
  expect(begun).not.toBe(genesis);
  await victim.untilTip("the lesser chain", (tip) => tip.sink === sink, PATIENCE_MS);
  expect((await victim.tip()).pruningPoint).toBe(begun);
  for (const port of portsOf(honest)) await victim.addPeer(port);
  const { pruningPoint } = await honest[0].tip();
  await expectSame(victim, honest[0], { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
});

test("--pruning-point begins only in the chain that holds the block", async () => {
  const scene = new Scene(WORKED.profile);
  const [other] = await holders(scene, lesser, ["other"]);
  // Those of the file have met the other chain.
  const [one] = await holders(scene, chain, ["one"]);
  if (other === undefined || one === undefined) throw new Error("no nodes");
  const { pruningPoint, genesis } = await one.tip();
  const more = [`--pruning-point=${pruningPoint}`];
  const victim = await scene.node({ name: "victim", peers: [other.peerPort], more });
  await victim.line(/sync\/checkpoint-missing/, PATIENCE_MS);
  expect((await victim.tip()).pruningPoint).toBe(genesis);
  await victim.addPeer(one.peerPort);
  await expectSame(victim, one, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
});
