/** A leaf that is looked for in a stored tree of several chunks. */
import { expect, it } from "vitest";
import { asLeafPosition } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { WalletStore } from "../store/walletStore.ts";
import { findLeaf } from "./findLeaf.ts";

const LEAF_BYTES = 32;
const CHUNK = 1_024;
const BASE = 1_000;
const signal = new AbortController().signal;

/** The leaf of a number: its bytes come again in no other one at a place where a leaf begins. */
function leafOf(number: number): Uint8Array {
  const leaf = new Uint8Array(LEAF_BYTES);
  new DataView(leaf.buffer).setUint32(0, number);
  return leaf;
}

/** A tree of so many leaves above its base. */
function treeOf(count: number): WalletStore["tree"] {
  const store = new WalletStore(new MemoryKv(), null);
  const leaves = new Uint8Array(count * LEAF_BYTES);
  for (let place = 0; place < count; place += 1) {
    leaves.set(leafOf(BASE + place), place * LEAF_BYTES);
  }
  store.commit((batch) => {
    store.tree.reset(batch, new Uint8Array(), asLeafPosition(BigInt(BASE)));
    store.tree.append(batch, leaves);
  });
  return store.tree;
}

it("is found in every chunk, and where it stands", async () => {
  const tree = treeOf(3 * CHUNK);
  const range = { from: 0n, to: BigInt(BASE + 3 * CHUNK) };
  for (const place of [BASE, CHUNK - 1, CHUNK, 2 * CHUNK + 7, BASE + 3 * CHUNK - 1]) {
    expect(await findLeaf(tree, leafOf(place), range, signal)).toBe(BigInt(place));
  }
  expect(await findLeaf(tree, leafOf(7), range, signal)).toBe(null);
});

it("is none above the range, nor one that lies across two leaves", async () => {
  const tree = treeOf(2 * CHUNK);
  const range = { from: 0n, to: 1_500n };
  expect(await findLeaf(tree, leafOf(1_499), range, signal)).toBe(1_499n);
  expect(await findLeaf(tree, leafOf(1_500), range, signal)).toBe(null);
  expect(await findLeaf(tree, leafOf(2_500), range, signal)).toBe(null);
  const across = new Uint8Array(LEAF_BYTES);
  across.set(leafOf(1_301).subarray(0, 4), LEAF_BYTES - 4);
  expect(await findLeaf(tree, across, range, signal)).toBe(null);
});

it("is looked for in turns, and no longer than its caller waits", async () => {
  const tree = treeOf((WALLETD_LIMITS.receiptChunksAtOnce + 2) * CHUNK);
  const range = { from: 0n, to: 1n << 40n };
  const gone = new AbortController();
  let others = 0;
  setImmediate(() => (others += 1));
  expect(await findLeaf(tree, leafOf(7), range, gone.signal)).toBe(null);
  expect(others).toBe(1);
  gone.abort();
  expect(await rejectionCode(findLeaf(tree, leafOf(7), range, gone.signal))).toBe("run/aborted");
});
