/** Lines that fall silent while a node catches up, one in each stage: the peer is dropped and charged, another one is enough. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { penaltyOf, readLinkEnd } from "./linkEnds.ts";
import { expectSame } from "./nodeFacts.ts";
import type { NodeProcess } from "./nodeProcess.ts";
import { IS_FULL, PATIENCE_MS, PRUNED } from "./networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "./scene.ts";
import { PERFECT_LINE } from "./tcpProxy.ts";

/**
 * In the order in which they come. A peer may take ten minutes for a proof, but four without an answer to a ping are the end;
 * all of them at the same time.
 */
const STAGES = ["negotiating", "proof", "trusted", "headers", "state", "bodies"];
/** Slow enough that a stage lasts until the line is silent. */
const SLOW = { ...PERFECT_LINE, delayMs: 20, bytesPerSecond: 500_000 };

describe.skipIf(!IS_FULL)("a peer that falls silent", () => {
  let chain: StoredChain;
  beforeAll(async () => {
    chain = await storedChain(PRUNED);
  });
  afterAll(() => chain.remove());

  async function outlasts(scene: Scene, source: NodeProcess, stage: string): Promise<void> {
    const line = await scene.line(source.peerPort, SLOW);
    const victim = await scene.node({ name: `victim-in-${stage}` });
    const begun = victim.line(new RegExp(`"stage":"${stage}".*a stage begins`), PATIENCE_MS);
    const ended = victim.nextLine(/"a link ended"/, PATIENCE_MS);
    await victim.addPeer(line.port);
    await begun;
    line.fallSilent();
    const text = await ended;
    const { code, penalty } = readLinkEnd(text);
    expect(code, `${stage}: ${text}`).toBe("p2p/stalled");
    expect(penalty, stage).toBe(penaltyOf(code));
    expect(penalty, stage).toBe("minor");
    // The source hears that the victim is gone.
    line.heal();
    await victim.addPeer(source.peerPort);
    const { pruningPoint } = await source.tip();
    await expectSame(victim, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  }

  test("is replaced in every stage", { timeout: 2 * PATIENCE_MS }, async () => {
    const scene = new Scene(PRUNED.profile);
    scene.copyStore({ from: chain.path, name: "source" });
    const source = await scene.node({ name: "source" });
    await Promise.all(STAGES.map((stage) => outlasts(scene, source, stage)));
  });
});
