/** Note history from before the pruning point: a false record costs its giver, a kill costs nothing, and all of it comes. */
import { beforeAll, expect, test } from "vitest";
import { readEnvelope, writeEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { nextLinkEnd } from "../peers/linkEnds.ts";
import { LyingPeer } from "../peers/lyingPeer.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { expectSoundStore, genesisHashOf } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, PRUNED } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE } from "../testkit/tcpProxy.ts";

const SLOW = { ...PERFECT_LINE, delayMs: 20, bytesPerSecond: 100_000 };
const WANTED = ["--shielded-history=on"];
/** Somebody was charged. */
const CHARGED = /"penalty":"(minor|major|ban)"/;

/** Where a scan record has what a liar changes (docs/formats.md 2). */
const AT = { firstLeaf: 56, outputs: 96, firstValue: 98 + 43 };
/**
 * Lies in the order in which they are told. The first one fits all records beside it and shows only when they make another
 * note tree; the second one is refused where it comes. Keys and ciphertexts are bound by nothing: nobody notices lies there.
 */
const LIES = [
  { name: "the value of a minted note", at: AT.firstValue },
  { name: "how many leaves come before a block", at: AT.firstLeaf },
] as const;
type Lie = (typeof LIES)[number];

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(PRUNED);
});

/** A chunk with one record changed; as it was when none of its records can be. */
function withLie(bytes: Uint8Array, { at }: Lie): Uint8Array {
  const envelope = readEnvelope(bytes);
  if (envelope.payload?.$case !== "shieldedHistoryChunk") return bytes;
  // The first one may be there already, and is not looked at then.
  const [, ...entries] = envelope.payload.value.entries;
  const entry = entries.findLast(({ data }) => (data[AT.outputs] ?? 0) > 0);
  if (entry === undefined) return bytes;
  entry.data = withFlippedBit(entry.data, at);
  return writeEnvelope(envelope);
}

/** One link to a liar, whose records all come from there. */
async function refuses(node: NodeProcess, source: NodeProcess, lie: Lie): Promise<void> {
  const liar = await LyingPeer.start(source.peerPort, (bytes) => withLie(bytes, lie));
  const ended = nextLinkEnd(node, PATIENCE_MS);
  await node.addPeer(liar.port);
  const { code, message, penalty } = await ended;
  expect(code, `${lie.name}: ${message}`).toBe("history/wrong-record");
  expect(penalty, lie.name).toBe("ban");
  expect((await node.tip()).historyComplete, lie.name).toBe(false);
  await liar.stop();
}

test("history comes whole, whoever lied and whatever was killed", async () => {
  const scene = new Scene(PRUNED.profile);
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  const { sink } = await source.tip();
  const first = await scene.node({ name: "fresh", more: WANTED, watched: [CHARGED] });
  for (const lie of LIES) await refuses(first, source, lie);
  expect((await first.tip()).sink).toBe(sink);
  expect(first.countOf(CHARGED)).toBe(LIES.length);
  await first.kill();
  const line = await scene.line(source.peerPort, SLOW);
  const killed = await scene.node({ name: "fresh", more: WANTED, peers: [line.port] });
  await killed.line(/"stage":"history".*a stage begins/, PATIENCE_MS);
  await killed.kill();
  const fresh = await scene.node({
    name: "fresh",
    more: WANTED,
    peers: [source.peerPort],
    watched: [CHARGED],
  });
  await fresh.untilTip("all history", ({ historyComplete }) => historyComplete, PATIENCE_MS);
  const recordsAfter = genesisHashOf(scene.profile);
  await expectSame(fresh, source, { recordsAfter, limitMs: PATIENCE_MS });
  // Honest sources are blamed for nothing.
  await fresh.stop();
  expect(fresh.countOf(CHARGED)).toBe(0);
  await expectSoundStore(scene, "fresh");
});
