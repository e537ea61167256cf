/**
 * A recorded initial sync of a node that none of us wrote, played back to a fresh node of ours. `SVC_WIRE_CORPUS` names the
 * folder of the recording; without it nothing is run here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { alterMessage, nameOf } from "./alterMessage.ts";
import { penaltyOf, readLinkEnd } from "./linkEnds.ts";
import { verifiedStore } from "./nodeStore.ts";
import { PATIENCE_MS } from "./networkSizes.ts";
import { RecordedPeer, Recording } from "./recordedPeer.ts";
import { Scene } from "./scene.ts";

const corpus = process.env["SVC_WIRE_CORPUS"] ?? "";
const row = v.object({ from: v.picklist(["dialer", "listener"]), hex: v.string() });

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

describe.skipIf(corpus === "")("a recorded source", () => {
  let recording: Recording;
  let profile: string;
  let network: string;
  beforeAll(() => {
    const text = gunzipSync(readFileSync(join(corpus, "ibd.jsonl.gz"))).toString("utf8");
    const rows = text.trim().split("\n");
    recording = new Recording(
      rows.map((line) => {
        const { from, hex } = v.parse(row, JSON.parse(line));
        return { from, bytes: decodeHex(hex) };
      }),
    );
    profile = readFileSync(join(corpus, "profile.json"), "utf8");
    network = v.parse(v.object({ networkName: v.string() }), JSON.parse(profile)).networkName;
  });

  test("brings a fresh node to the recorded sink", async () => {
    const scene = new Scene(profile);
    const source = await RecordedPeer.start(recording, { network, tamper: (bytes) => bytes });
    const fresh = await scene.node({ name: "fresh", peers: [source.port] });
    const tip = await fresh.untilTip(
      "the sink",
      ({ sink }) => sink === recording.sink,
      PATIENCE_MS,
    );
    expect(tip.pruningPoint).not.toBe(tip.genesis);
    await fresh.stop();
    await source.stop();
    expect(await verifiedStore(scene, "fresh")).toMatchObject({ result: "same" });
  });

  test("is refused with any of its answers altered", async () => {
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
});
