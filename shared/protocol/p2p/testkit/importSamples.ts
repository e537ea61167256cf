/** Sample messages of an initial sync with all their parts, for tests; none of them means anything. */
import { ByteWriter } from "../../../base/bytes.ts";
import type { P2pHistoryChunk, P2pShieldedMetadata } from "../generated/p2pMessages.ts";

/** A hash of 32 equal bytes. */
export function sampleHash(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte);
}

/** Bytes as long as the smallest scan record. */
export function sampleRecord(byte: number): Uint8Array {
  return new Uint8Array(120).fill(byte);
}

/** A state in the reference's data: a tree, no nullifiers, two anchors. */
export function sampleState(): P2pShieldedMetadata {
  const one = Uint8Array.of(1, ...new Uint8Array(383));
  const [a, b] = [sampleHash(9), sampleHash(8)];
  const writer = new ByteWriter().u64(6n).u8(1).raw(sampleHash(1));
  writer.u64(2n).raw(sampleHash(2)).raw(sampleHash(3)).raw(sampleHash(4));
  writer.raw(one).raw(one).u64(0n).raw(sampleHash(5));
  writer.u64(2n).raw(sampleHash(6)).raw(a).raw(sampleHash(7)).raw(b).u64(10n);
  writer.u64(2n).raw(a).u64(5n).raw(b).u64(5n);
  return { data: writer.toBytes(), nullifierCount: 0n };
}

/** Two records, the second of genesis. */
export function sampleHistory(): P2pHistoryChunk {
  const entries = [1, 0].map((number) => ({
    blockHash: sampleHash(number),
    data: sampleRecord(number),
    chainIndex: BigInt(number),
  }));
  return { entries, done: true, anchorIndex: 1n };
}
