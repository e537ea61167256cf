/** A recorded initial sync of a node that none of us wrote, played back to a fresh node of ours. */
import * as v from "valibot";
import { expect, test } from "vitest";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { recordedWire, recordedWireProfile } from "../vectors/recordedWire.ts";
import { alterMessage, nameOf } from "./alterMessage.ts";
import { penaltyOf, readLinkEnd } from "./linkEnds.ts";
import { verifiedStore } from "./nodeStore.ts";
import { PATIENCE_MS } from "./networkSizes.ts";
import { RecordedPeer, Recording } from "./recordedPeer.ts";
import { Scene } from "./scene.ts";

const recording = new Recording(
  recordedWire().map(({ from, hex }) => ({ from, bytes: decodeHex(hex) })),
);
const profile = recordedWireProfile();
const network = v.parse(v.object({ networkName: v.string() }), JSON.parse(profile)).networkName;

/**
 * Answers before the state is proved, and fields of them that nothing may change. A block that is far ahead and whose header
 * comes first is not among them: it is a claim, and the proof decides. Of bytes the first one is changed: anchors from before
 * the security fork, in the middle of the state, are committed to by nothing.
 */
const PROVED: readonly (readonly [name: P2pName, field: RegExp])[] = [
  ["block", /nonce|timestamp|Root/],
  ["pruningPointProof", /nonce|timestamp|Root/],
  ["pruningPoints", /\[[1]\]\.(nonce|timestamp|hashMerkleRoot)/],
  ["trustedData", /nonce|timestamp|Root|blueScore|blueWork/],
  ["blockWithTrustedDataV4", /nonce|timestamp|Root|payload/],
  ["blockHeaders", /nonce|timestamp|Root|bits/],
  ["ibdBlock", /payload|nonce|timestamp/],
  ["smtMetadata", /data/],
  ["smtLaneChunk", /data|blueScore/],
  ["shieldedMetadata", /data/],
];
const BODY: readonly [name: P2pName, field: RegExp] = ["blockBody", /payload/];

test("a recorded source brings a fresh node to the recorded sink", async () => {
  const scene = new Scene(profile);
  const source = await RecordedPeer.start(recording, { network, tamper: (bytes) => bytes });
  const fresh = await scene.node({ name: "fresh", peers: [source.port] });
  const tip = await fresh.untilTip("the sink", ({ sink }) => sink === recording.sink, PATIENCE_MS);
  expect(tip.pruningPoint).not.toBe(tip.genesis);
  await fresh.stop();
  await source.stop();
  expect(await verifiedStore(scene, "fresh")).toMatchObject({ result: "same" });
});

test("each recorded answer altered in one field is refused", async () => {
  const scene = new Scene(profile);
  const fresh = await scene.node({ name: "fresh" });
  const { sink } = await fresh.tip();
  for (const [name, field] of [...PROVED, BODY]) {
    let told: string | null = null;
    const tamper = (bytes: Uint8Array): Uint8Array => {
      if (told !== null || nameOf(bytes) !== name) return bytes;
      const altered = alterMessage(bytes, scene.random, (path) => field.test(path), "first");
      told = altered?.path ?? null;
      return altered?.bytes ?? bytes;
    };
    const liar = await RecordedPeer.start(recording, { network, tamper });
    const settled = fresh.nextLine(/"a link ended"|"caught up"/, PATIENCE_MS);
    await fresh.addPeer(liar.port);
    const line = await settled;
    await liar.stop();
    const what = `${name}: ${told}: ${line}`;
    expect(told, what).not.toBeNull();
    expect(line, what).not.toContain('"caught up"');
    const { code, penalty } = readLinkEnd(line);
    expect(penalty, what).toBe(penaltyOf(code));
    expect(penalty, what).not.toBe("none");
    if (name !== BODY[0]) expect((await fresh.tip()).sink, what).toBe(sink);
  }
});
