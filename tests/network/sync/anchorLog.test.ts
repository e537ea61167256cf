/** The anchor log from before the pruning point: a false page costs its giver, a kill costs nothing, and all paths come. */
import { beforeAll, expect, test } from "vitest";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { readEvidenceTipFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { recordHeads, type RecordHead } from "@svc/shared/protocol/http/recordHeads.ts";
import { readEnvelope, writeEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { nextLinkEnd } from "../peers/linkEnds.ts";
import { LyingPeer } from "../peers/lyingPeer.ts";
import { PATIENCE_MS, PRUNED } from "../testkit/networkSizes.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { expectSoundStore, genesisHashOf } from "../testkit/nodeStore.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE } from "../testkit/tcpProxy.ts";

const SLOW = { ...PERFECT_LINE, delayMs: 20, bytesPerSecond: 100_000 };
/** Somebody was charged. */
const CHARGED = /"penalty":"(minor|major|ban)"/;
const COMPLETE = /the anchor log is complete/;
/** Chain blocks whose paths are compared. */
const SAMPLES = 150;
/** Of a page of them. */
const RECORDS = 2_000;
/** Of a status in the place of a path. */
const ERROR_CHARS = 3;
/** Where a page has the tree root of its first entry (docs/formats.md 1.4). */
const TREE_ROOT_AT = 1 + 8 + 32 + 2 + 32;

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(PRUNED);
});

/** A page whose first entry has another tree root. */
function withLie(bytes: Uint8Array): Uint8Array {
  const envelope = readEnvelope(bytes);
  if (envelope.payload?.$case !== "anchorLogPage") return bytes;
  envelope.payload.value.page = withFlippedBit(envelope.payload.value.page, TREE_ROOT_AT);
  return writeEnvelope(envelope);
}

/** Chain blocks above genesis, spread evenly over the lowest page of records. */
async function sampledHeads(node: NodeProcess, genesis: string): Promise<readonly RecordHead[]> {
  const response = await fetch(`${node.http}/v1/blocks?after=${genesis}&limit=${RECORDS}`);
  const { body, count } = readContainer(new Uint8Array(await response.arrayBuffer()), RECORDS);
  const step = Math.max(1, Math.floor(count / SAMPLES));
  return recordHeads(body, count).filter((_, at) => at % step === 0);
}

async function evidence(node: NodeProcess, path: string): Promise<string> {
  const response = await fetch(`${node.http}/v1/evidence/${path}`);
  if (response.status !== 200) return `${response.status}`;
  return encodeHex(new Uint8Array(await response.arrayBuffer()));
}

test("the anchor log comes whole, whoever lied and whatever was killed", async () => {
  const scene = new Scene(PRUNED.profile);
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  const first = await scene.node({ name: "fresh", watched: [CHARGED, COMPLETE] });
  const liar = await LyingPeer.start(source.peerPort, withLie);
  const ended = nextLinkEnd(first, PATIENCE_MS);
  await first.addPeer(liar.port);
  const { code, penalty } = await ended;
  expect([code, penalty]).toEqual(["history/wrong-record", "ban"]);
  await liar.stop();
  expect([first.countOf(CHARGED), first.countOf(COMPLETE)]).toEqual([1, 0]);
  await first.kill();
  const line = await scene.line(source.peerPort, SLOW);
  const killed = await scene.node({ name: "fresh", peers: [line.port] });
  await killed.line(/"stage":"log".*a stage begins/, PATIENCE_MS);
  await killed.kill();
  const fresh = await scene.node({
    name: "fresh",
    peers: [source.peerPort],
    watched: [CHARGED, COMPLETE],
  });
  await fresh.line(COMPLETE, PATIENCE_MS);
  const { sink } = await source.tip();
  await fresh.untilTip("the whole chain", (tip) => tip.sink === sink, PATIENCE_MS);
  const facts = await fetch(`${source.http}/v1/evidence/tip?depth=3`);
  const { block: at, sinkDaaScore } = readEvidenceTipFacts(await facts.text());
  const { historyFromDaaScore } = await fresh.tip();
  const heads = await sampledHeads(source, genesisHashOf(scene.profile));
  expect(heads.some(({ daaScore }) => daaScore < historyFromDaaScore)).toBe(true);
  for (const { hash } of heads.filter(({ daaScore }) => daaScore + 10n < sinkDaaScore)) {
    const path = `membership?of=${hash}&at=${at}`;
    const [found, expected] = [await evidence(fresh, path), await evidence(source, path)];
    expect([hash, found]).toEqual([hash, expected]);
    expect(expected.length).toBeGreaterThan(ERROR_CHARS);
  }
  // Honest sources are blamed for nothing.
  await fresh.stop();
  expect(fresh.countOf(CHARGED)).toBe(0);
  await expectSoundStore(scene, "fresh");
});
