/** Digest of the scan records between two chain blocks, for wallets that compare this node with another (docs/light-client.md). */
import { hash } from "node:crypto";
import { asHash32, type BlockHash } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { encodeRecordDigest } from "@svc/shared/protocol/http/recordDigest.ts";
import { bytesIn, recordLayouts } from "@svc/shared/protocol/http/recordLayout.ts";
import { recordHeads } from "@svc/shared/protocol/http/recordHeads.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import type { QuestionSource } from "../../engine/calls/askFacts.ts";

/** The blocks that a digest is about: above `after` up to `to`. */
export type RecordRange = { readonly after: BlockHash; readonly to: BlockHash };

/**
 * Makes the answer of `/v1/evidence/records`. Rejects with `chain/unknown-block` where a block is not on the selected chain, `to` does
 * not stand above `after`, or more than a page of records lies between them; with `chain/pruned`.
 */
export async function makeRecordDigest(
  node: QuestionSource,
  { after, to }: RecordRange,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const [low, high] = [await placeOf(node, after, signal), await placeOf(node, to, signal)];
  const count = high - low;
  if (count < 1 || count > PROTOCOL_LIMITS.recordPageMax) throw unknown(to);
  const hashes: Uint8Array[] = [];
  let last = after;
  while (hashes.length < count) {
    // oxlint-disable-next-line no-await-in-loop -- a page is cut by its bytes, and the next one begins there
    const bytes = await node.ask("records", [last, count - hashes.length], signal);
    const page = readContainer(bytes, PROTOCOL_LIMITS.recordPageMax);
    const end = recordHeads(page.body, page.count).at(-1);
    if (end === undefined) throw unknown(to);
    for (const record of recordLayouts(page.body, page.count)) {
      hashes.push(hash("sha256", bytesIn(page.body, record), "buffer"));
    }
    last = end.hash;
  }
  if (last !== to) throw unknown(to);
  const digest = asHash32(hash("sha256", concatBytes(...hashes), "hex"));
  return encodeRecordDigest({ count, last, digest });
}

async function placeOf(
  node: QuestionSource,
  block: BlockHash,
  signal: AbortSignal,
): Promise<number> {
  const place = await node.ask("chainIndexOf", [block], signal);
  if (place === undefined) throw unknown(block);
  return Number(place);
}

function unknown(hash: BlockHash): SvcError<"chain/unknown-block"> {
  return new SvcError("chain/unknown-block", { hash });
}
