/** Proofs of lanes. That of the recorded lane is compared in `p2pImport.test.ts`. */
import { blake3 } from "@noble/hashes/blake3.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import { p2pVectors } from "../../../tests/vectors/p2pVectors.ts";
import { ByteWriter, compareBytes, concatBytes } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { readEnvelope } from "./p2pEnvelope.ts";
import { lanesMetadataOf, rawLanePageOf } from "./p2pLanes.ts";
import { LaneProofs } from "./p2pLaneProofs.ts";

const { recorded } = p2pVectors();

function keyed(name: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const key = new Uint8Array(32);
  key.set(Buffer.from(name));
  return blake3(concatBytes(...parts), { key });
}

/** The root that a proof leads to, computed from the bottom as a verifier does. */
function rootFrom(proof: Uint8Array, key: Uint8Array, tipAndScore: Uint8Array): string {
  const [tag, depth = 0] = proof.subarray(32);
  expect(tag).toBe(1);
  const siblings = proof.subarray(34);
  let left = siblings.length / 32;
  let empty: Uint8Array = new Uint8Array(32);
  const leaf = keyed("SeqCommitActiveLeaf", tipAndScore);
  let root = keyed("SeqCommitActiveCollapsedNode", key, leaf);
  for (let at = 255; at >= 0; at -= 1) {
    if (at < depth) {
      const isEmpty = ((proof[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
      if (!isEmpty) left -= 1;
      const sibling = isEmpty ? empty : siblings.subarray(32 * left, 32 * (left + 1));
      const isRight = ((key[at >> 3] ?? 0) & (128 >> (at & 7))) !== 0;
      const sides = isRight ? [sibling, root] : [root, sibling];
      root = keyed("SeqCommitActiveNode", ...sides);
    }
    empty = keyed("SeqCommitActiveNode", empty, empty);
  }
  expect(left).toBe(0);
  return encodeHex(root);
}

describe("proofs of lanes", () => {
  it("lead to the root that was recorded", () => {
    const pages: Uint8Array[] = [];
    let root = new Uint8Array();
    for (const { hex } of recorded) {
      const { payload } = readEnvelope(decodeHex(hex));
      if (payload?.$case === "smtLaneChunk") pages.push(rawLanePageOf(payload.value));
      if (payload?.$case === "smtMetadata") {
        root = lanesMetadataOf(payload.value).claim.slice(33, 65);
      }
    }
    expect(encodeHex(new LaneProofs(concatBytes(...pages)).root())).toBe(encodeHex(root));
    // Of no lanes (specification consensus 12).
    expect(encodeHex(new LaneProofs(new Uint8Array()).root())).toBe(
      "613077bbf7297f3c5d488617df574debac4ac9e6adddde1df0074b376e66e13d",
    );
  });

  it("lead to one root from every lane", () => {
    const keys = Array.from({ length: 40 }, (_, at) => sha256(Uint8Array.of(at)));
    // Two that part late.
    keys.push(keys[0]?.map((byte, at) => (at === 20 ? byte ^ 4 : byte)) ?? new Uint8Array());
    keys.sort(compareBytes);
    const rest = (at: number): Uint8Array =>
      new ByteWriter()
        .raw(sha256(Uint8Array.of(at, at)))
        .u64(BigInt(at))
        .toBytes();
    const proofs = new LaneProofs(concatBytes(...keys.flatMap((key, at) => [key, rest(at)])));
    const root = encodeHex(proofs.root());
    for (const [at, key] of keys.entries()) {
      expect(rootFrom(proofs.proofOf(at), key, rest(at))).toBe(root);
    }
    expect(proofs.proofOf(keys.length)).toHaveLength(0);
  });

  it("are not made of lanes out of order", () => {
    const lane = new Uint8Array(72);
    expect(codeOf(() => new LaneProofs(concatBytes(lane, lane)))).toBe("codec/not-canonical");
    expect(codeOf(() => new LaneProofs(new Uint8Array(71)))).toBe("codec/count-too-large");
  });
});
