/** Interfaces of whoever is asked about what no state root covers: a second node, and payments with what binds them to a header. */
import type { BlockHash } from "../base/brand.ts";
import type { RecordDigest } from "../protocol/http/recordDigest.ts";

/** A node that tells a digest of its records. Rejects as an `EvidencePort` does. */
export interface RecordDigestPort {
  /** The digest of the records above `after` up to `to`, at most a page of them. */
  recordDigest(after: BlockHash, to: BlockHash, signal: AbortSignal): Promise<RecordDigest>;
}

/** A node that shows payments whole. Rejects as an `EvidencePort` does. */
export interface PayloadPort {
  /** The payment at a place among those that a chain block applied, and its path to the block's header. */
  payload(at: BlockHash, place: number, signal: AbortSignal): Promise<Uint8Array>;
}
