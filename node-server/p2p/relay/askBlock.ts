/** Requests one block from a peer that is said to have it (specification network 1.6). */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { P2pBlock, P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { badField, requiredField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Link } from "../link/link.ts";

/** A request for one block. */
export type BlockQuestion = {
  readonly hash: BlockHash;
  /** Hash of the header of a message. */
  readonly hashOf: (header: P2pBlockHeader) => BlockHash;
  /** Milliseconds. */
  readonly waitMs: number;
  readonly signal?: AbortSignal;
};

/** A received block whose header is present. */
export type AskedBlock = P2pBlock & { readonly header: P2pBlockHeader };

/** Requests the block and checks its hash. Rejects with `p2p/bad-message` when it is another one, and like `Link.ask`. */
export async function askBlock(link: Link, question: BlockQuestion): Promise<AskedBlock> {
  const { hash, hashOf, waitMs, signal } = question;
  const { value } = await link.ask({
    payload: { $case: "requestRelayBlocks", value: { hashes: [{ bytes: decodeHex(hash) }] } },
    answers: ["block"],
    waitMs,
    ...(signal && { signal }),
  });
  const header = requiredField("header", value.header);
  if (hashOf(header) !== hash) throw badField("block", "it is not the one that was asked for");
  return { ...value, header };
}
