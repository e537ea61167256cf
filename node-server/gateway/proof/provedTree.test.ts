import { describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { EMPTY_TREE } from "@svc/shared/protocol/raw/treeState.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { openTree, rebasedTree } from "./provedTree.ts";

const core = await loadCoreFile();

/** Numbers as commitments. */
function leaves(from: number, to: number): Uint8Array {
  const bytes = new Uint8Array((to - from) * 32);
  const view = new DataView(bytes.buffer);
  for (let leaf = from; leaf < to; leaf += 1) view.setUint32((leaf - from) * 32, leaf + 3, true);
  return bytes;
}

describe("the note tree of a scan", () => {
  it.each([0n, 1n, 2n, 7n, 8n, 63n, 64n, 65n, 300n])(
    "has the same roots with its base moved to leaf %s, and is made again from there",
    (size) => {
      const whole = openTree(core, encodeHex(EMPTY_TREE), [leaves(0, 300)]);
      const { tree, frontier } = rebasedTree(core, whole, size);
      const again = openTree(core, frontier, [leaves(Number(size), 300)]);
      for (let at = size; at <= 300n; at += 13n) {
        expect(encodeHex(tree.root(at))).toBe(encodeHex(whole.root(at)));
        expect(encodeHex(again.root(at))).toBe(encodeHex(whole.root(at)));
      }
      const more = leaves(300, 333);
      for (const grown of [whole, tree, again]) grown.append(more);
      expect(encodeHex(tree.root(333n))).toBe(encodeHex(whole.root(333n)));
      expect(encodeHex(again.root(333n))).toBe(encodeHex(whole.root(333n)));
      for (const one of [whole, tree, again]) one.free();
    },
  );
});
