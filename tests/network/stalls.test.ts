/** Peers that fall silent while a node catches up, one in each stage: dropped and charged, and another one is enough. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { nameOf } from "./alterMessage.ts";
import { penaltyOf, readLinkEnd } from "./linkEnds.ts";
import { LyingPeer } from "./lyingPeer.ts";
import { expectSame } from "./nodeFacts.ts";
import { IS_FULL, PATIENCE_MS, PRUNED } from "./networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "./scene.ts";
import type { NodeProcess } from "./nodeProcess.ts";

/**
 * Instead of what a peer says nothing any more, in the order of the stages. It may take ten minutes for a proof, but four
 * without an answer to a ping are the end; all of them at the same time.
 */
const WITHHELD: readonly P2pName[] = [
  "ibdChainBlockLocator",
  "pruningPointProof",
  "trustedData",
  "blockHeaders",
  "ibdBlock",
  "smtLaneChunk",
  "shieldedNullifierChunk",
  "blockBody",
];

describe.skipIf(!IS_FULL)("a peer that falls silent", () => {
  let chain: StoredChain;
  beforeAll(async () => {
    chain = await storedChain(PRUNED);
  });
  afterAll(() => chain.remove());

  async function outlasts(scene: Scene, source: NodeProcess, name: P2pName): Promise<void> {
    let isSilent = false;
    const silent = await LyingPeer.start(source.peerPort, (bytes) => {
      isSilent ||= nameOf(bytes) === name;
      return isSilent ? null : bytes;
    });
    const victim = await scene.node({ name: `victim-of-${name}` });
    const ended = victim.nextLine(/"a link ended"/, PATIENCE_MS);
    await victim.addPeer(silent.port);
    const line = await ended;
    const { code, penalty } = readLinkEnd(line);
    expect(code, `${name}: ${line}`).toBe("p2p/stalled");
    expect(penalty, name).toBe(penaltyOf(code));
    expect(penalty, name).toBe("minor");
    await silent.stop();
    await victim.addPeer(source.peerPort);
    const { pruningPoint } = await source.tip();
    await expectSame(victim, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  }

  test("is replaced in every stage", { timeout: 2 * PATIENCE_MS }, async () => {
    const scene = new Scene(PRUNED.profile);
    scene.copyStore({ from: chain.path, name: "source" });
    const source = await scene.node({ name: "source" });
    await Promise.all(WITHHELD.map((name) => outlasts(scene, source, name)));
  });
});
