/** The merkle root of a block (specification consensus 9.7), for blocks put together by hand. */
import { blake2b } from "@noble/hashes/blake2.js";
import { concatBytes } from "@svc/shared/base/bytes.ts";

const KEY = new TextEncoder().encode("MerkleBranchHash");
const NOTHING = new Uint8Array(32);

/** The root over transaction hashes, coinbase first; at least one. */
export function merkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  let level = [...hashes];
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const pair = concatBytes(level[index] ?? NOTHING, level[index + 1] ?? NOTHING);
      above.push(blake2b(pair, { key: KEY, dkLen: 32 }));
    }
    level = above;
  }
  return level[0] ?? NOTHING;
}
