/** Peers that give nothing more while a node catches up, one in each stage: dropped and charged, and another one is enough. */
import { beforeAll, describe, expect, test } from "vitest";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { nameOf } from "./alterMessage.ts";
import { readLinkEnd } from "./linkEnds.ts";
import { LyingPeer } from "./lyingPeer.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { PATIENCE_MS, PRUNED } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";

/**
 * What comes no more, in the order of the stages; all stall at the same time. A peer may take ten minutes for its proof and
 * twenty seconds for anything else, so the reduced size has a stage before the state is there, and one after it.
 */
const WITHHELD: readonly P2pName[] = IS_FULL
  ? [
      "ibdChainBlockLocator",
      "pruningPointProof",
      "trustedData",
      "blockHeaders",
      "ibdBlock",
      "smtLaneChunk",
      "shieldedNullifierChunk",
      "blockBody",
    ]
  : ["trustedData", "blockBody"];
/** What such a peer says all the same: it is alive. */
const ALIVE: ReadonlySet<string | undefined> = new Set<P2pName>(["ping", "pong"]);

describe("a peer that stalls", () => {
  let chain: StoredChain;
  beforeAll(async () => {
    chain = await storedChain(PRUNED);
  });

  async function outlasts(scene: Scene, source: NodeProcess, withheld: P2pName): Promise<void> {
    let isSilent = false;
    const stalling = await LyingPeer.start(source.peerPort, (bytes) => {
      const name = nameOf(bytes);
      isSilent ||= name === withheld;
      return isSilent && !ALIVE.has(name) ? null : bytes;
    });
    const victim = await scene.node({ name: `victim-of-${withheld}` });
    const ended = victim.nextLine(/"a link ended"/, PATIENCE_MS);
    await victim.addPeer(stalling.port);
    const text = await ended;
    const { code, penalty } = readLinkEnd(text);
    expect(code, `${withheld}: ${text}`).toBe("p2p/stalled");
    expect(penalty, withheld).toBe("minor");
    await stalling.stop();
    await victim.addPeer(source.peerPort);
    const { pruningPoint } = await source.tip();
    await expectSame(victim, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  }

  test("is replaced in each stage", { timeout: 2 * PATIENCE_MS }, async () => {
    const scene = new Scene(PRUNED.profile);
    scene.copyStore({ from: chain.path, name: "source" });
    const source = await scene.node({ name: "source" });
    await Promise.all(WITHHELD.map((name) => outlasts(scene, source, name)));
  });
});
