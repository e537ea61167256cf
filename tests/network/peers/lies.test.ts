/** A peer that alters one field of one answer, in each stage: refused, charged, and nothing of it stays. */
import { beforeAll, expect, test } from "vitest";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { alterMessage, nameOf } from "./alterMessage.ts";
import { chargeFor } from "./charges.ts";
import { readLinkEnd } from "./linkEnds.ts";
import { LyingPeer } from "./lyingPeer.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import { expectSoundStore } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, PRUNED } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";

/** What a source sends on the way to its pruning point, and fields in which no lie may pass. */
const PROVED: readonly (readonly [name: P2pName, field: RegExp])[] = [
  ["pruningPointProof", /nonce|timestamp|Root|Hash|bits/],
  ["pruningPoints", /\[[1-7]\]\.(nonce|timestamp|hashMerkleRoot|bits)/],
  // What repeats the window is not read; sizes of anticones count where a block near the point is merged, if one is.
  [
    "trustedData",
    /^(?!\.ghostdagData|.*bluesAnticoneSizes).*(nonce|timestamp|Root|Hash|blueScore|blueWork)/,
  ],
  ["blockWithTrustedDataV4", /nonce|timestamp|Root|payload/],
  ["blockHeaders", /nonce|timestamp|Root|Hash|bits/],
  ["ibdBlock", /payload|nonce|timestamp/],
  ["smtMetadata", /data/],
  ["smtLaneChunk", /data|blueScore/],
  ["shieldedMetadata", /data/],
  ["shieldedNullifierChunk", /./],
];
/** What comes when the state is proved. */
const BODY: readonly [name: P2pName, field: RegExp] = ["blockBody", /payload/];
const ROUNDS = IS_FULL ? 3 : 1;

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(PRUNED);
});

/** One lie at a time, told once. */
class Lie {
  readonly #scene: Scene;
  #next: readonly [P2pName, RegExp] | null = null;
  /** The field that was altered; null as long as none was. */
  told: string | null = null;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  prepare(lie: readonly [P2pName, RegExp]): void {
    this.#next = lie;
    this.told = null;
  }

  readonly tamper = (bytes: Uint8Array): Uint8Array => {
    if (this.#next === null || nameOf(bytes) !== this.#next[0]) return bytes;
    const [, field] = this.#next;
    const altered = alterMessage(bytes, this.#scene.random, (path) => field.test(path));
    if (altered === null) return bytes;
    this.#next = null;
    this.told = altered.path;
    return altered.bytes;
  };
}

test("each lie on the way is refused, and an honest peer is enough afterwards", async () => {
  const scene = new Scene(PRUNED.profile);
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  const lie = new Lie(scene);
  const victim = await scene.node({ name: "victim" });
  const { sink } = await victim.tip();
  const lies = Array.from({ length: ROUNDS }, () => PROVED).flat();
  for (const [at, each] of [...lies, BODY].entries()) {
    // Each liar is another stranger to the source, and to the victim.
    const liar = await LyingPeer.start(source.peerPort, lie.tamper);
    lie.prepare(each);
    const settled = victim.nextLine(/"a link ended"|"caught up"/, PATIENCE_MS);
    await victim.addPeer(liar.port);
    const line = await settled;
    const what = `${each[0]}: ${lie.told}: ${line}`;
    expect(lie.told, what).not.toBeNull();
    expect(line, what).not.toContain('"caught up"');
    const { code, penalty } = readLinkEnd(line);
    expect(penalty, what).toBe(chargeFor(code));
    if (at < lies.length) expect((await victim.tip()).sink, what).toBe(sink);
    await liar.stop();
  }
  await victim.addPeer(source.peerPort);
  const { pruningPoint } = await source.tip();
  await expectSame(victim, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  await victim.stop();
  // Liars gave it payments too.
  await expectSoundStore(scene, "victim", { judged: true });
});
