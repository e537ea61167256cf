import { readFileSync } from "node:fs";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { asHash32, asLeafPosition } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { fields } from "../../base/fields.ts";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { decodeTreeState, EMPTY_TREE, encodeTreeState, type TreeState } from "./treeState.ts";

const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeHex).map(asHash32);
const tree: fc.Arbitrary<TreeState> = fc.record({
  size: fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }).map(asLeafPosition),
  leaf: hex32,
  ommers: fc.array(hex32, { maxLength: 32 }),
});

const file = new URL("../../../tests/vectors/reference/note-tree.json", import.meta.url);
const frontier = v.object({
  size: fields.leafPosition,
  leaf: fields.hash32,
  ommers: v.array(fields.hash32),
});
const vectors = v.object({ frontiers: v.array(frontier) });
const { frontiers } = v.parse(vectors, JSON.parse(readFileSync(file, "utf8")));

describe("TreeState", () => {
  it("holds recorded frontiers: size, last leaf, ommers from the lowest", () => {
    expect(frontiers).not.toEqual([]);
    for (const state of frontiers) {
      const bytes = encodeTreeState(state);
      const hex =
        state.leaf + encodeHex(Uint8Array.of(state.ommers.length)) + state.ommers.join("");
      expect(encodeHex(bytes.subarray(8))).toBe(hex);
      expect(new DataView(bytes.buffer).getBigUint64(0, true)).toBe(state.size);
      expect(decodeTreeState(bytes)).toEqual(state);
    }
  });

  it("comes back as it was, byte for byte", () => {
    fc.assert(
      fc.property(tree, (state) => {
        const bytes = encodeTreeState(state);
        expect(decodeTreeState(bytes)).toEqual(state);
        expect(encodeTreeState(decodeTreeState(bytes))).toEqual(bytes);
      }),
    );
  });

  it("of the empty tree has 41 zeros", () => {
    const state = { size: asLeafPosition(0n), leaf: asHash32("00".repeat(32)), ommers: [] };
    expect(encodeTreeState(state)).toEqual(EMPTY_TREE);
    expect(decodeTreeState(EMPTY_TREE)).toEqual(state);
  });

  it("is refused cut, lengthened, or with more ommers than the tree has levels", () => {
    const ommers = [asHash32("22".repeat(32)), asHash32("33".repeat(32))];
    const bytes = encodeTreeState({
      size: asLeafPosition(7n),
      leaf: asHash32("11".repeat(32)),
      ommers,
    });
    for (let length = 0; length < bytes.length; length += 1) {
      expect(codeOf(() => decodeTreeState(bytes.subarray(0, length)))).toMatch(/^codec\//);
    }
    expect(codeOf(() => decodeTreeState(Uint8Array.from([...bytes, 0])))).toBe(
      "codec/trailing-bytes",
    );
    const many = encodeTreeState({
      size: asLeafPosition(7n),
      leaf: asHash32("11".repeat(32)),
      ommers: Array.from({ length: 33 }, () => asHash32("22".repeat(32))),
    });
    expect(codeOf(() => decodeTreeState(many))).toBe("codec/count-too-large");
    expect(
      codeOf(() => encodeTreeState({ size: asLeafPosition(7n), leaf: asHash32("zz"), ommers })),
    ).toBe("codec/bad-hex");
  });
});
