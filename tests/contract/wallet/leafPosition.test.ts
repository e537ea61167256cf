/** A leaf that is looked for in a wallet's tree: one of the core that begins at a birthday, read in parts that have a bound. */
import { expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { asHash32, asLeafPosition } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { encodeTreeState } from "@svc/shared/protocol/raw/treeState.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import { leafPosition } from "@svc/shared/wallet/sync/leafPosition.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { leavesOf } from "./walletStoreFixtures.ts";

const core = await loadCoreFile();
/** Leaves before the birthday, of which the wallet knows no more than the frontier. */
const BASE = 1_003;
const SIZE = BASE + 9_000;

/** The subtrees that were read: how high each was. */
const heights: number[] = [];

class WatchedTree extends CoreTree {
  override subtree(first: bigint, height: number): Uint8Array {
    heights.push(height);
    return super.subtree(first, height);
  }
}

const hash = (number: number) => asHash32(encodeHex(leavesOf(number, 1)));
/** As many ommers as bits of the last position are set. */
const ommers = [...(BASE - 1).toString(2).replaceAll("0", "")].map((_, at) => hash(50_000 + at));
const start = encodeTreeState({
  size: asLeafPosition(BigInt(BASE)),
  leaf: hash(BASE - 1),
  ommers,
});
const tree = new WatchedTree(core, start);
tree.append(leavesOf(BASE, SIZE - BASE));

function find(leaf: number, from = BASE, to = SIZE): bigint | null {
  heights.length = 0;
  return leafPosition(tree, leavesOf(leaf, 1), { from: BigInt(from), to: BigInt(to) });
}

it("is found wherever it stands since the birthday", () => {
  for (const place of [BASE, BASE + 1, 1_023, 1_024, 4_095, 4_096, 8_191, SIZE - 1]) {
    expect(find(place), `leaf ${place}`).toBe(BigInt(place));
  }
  expect(find(3_000, 3_000, 3_001)).toBe(3_000n);
  expect(find(BASE - 1)).toBe(null);
  expect(find(SIZE)).toBe(null);
});

it("is none outside the range, nor one that lies across two leaves", () => {
  expect(find(2_999, 3_000, 3_007)).toBe(null);
  expect(find(3_007, 3_000, 3_007)).toBe(null);
  expect(find(3_000, 3_000, 3_000)).toBe(null);
  const across = new Uint8Array(32);
  across.set(leavesOf(3_001, 1).subarray(0, 4), 28);
  expect(leafPosition(tree, across, { from: BigInt(BASE), to: BigInt(SIZE) })).toBe(null);
});

it("takes parts within the bound, the large ones where they fit", () => {
  expect(find(SIZE)).toBe(null);
  expect(Math.max(...heights)).toBe(WALLET_LIMITS.leafSearchHeight);
  expect(heights.reduce((sum, height) => sum + 2 ** height, 0)).toBe(SIZE - BASE);
  expect(heights.length).toBeLessThan(2 * WALLET_LIMITS.leafSearchHeight + 4);
});
