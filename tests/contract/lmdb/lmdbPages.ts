/** Pages of an LMDB data file, for tests that damage it (`lmdbMeta.ts` has the form of the meta pages). */
import type { SeededRandom } from "../../testkit/seededRandom.ts";

/** Bytes of a page. */
export const PAGE = 4096;

/** Places in a meta page. */
const AT = { root: 136, transaction: 152 } as const;

/** Number of the page of the root of the data, as the newer of the two meta pages has it. */
export function rootPage(bytes: Buffer): number {
  const [first, second] = [0, PAGE].map((at) => bytes.readBigUInt64LE(at + AT.transaction));
  const newer = (first ?? 0n) > (second ?? 0n) ? 0 : PAGE;
  return Number(bytes.readBigUInt64LE(newer + AT.root));
}

/** Zeroes these pages in place. */
export function zeroPages(bytes: Buffer, pages: readonly number[]): void {
  for (const page of pages) bytes.fill(0, page * PAGE, (page + 1) * PAGE);
}

/** Bytes of chance. */
export function noise(random: SeededRandom, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}
