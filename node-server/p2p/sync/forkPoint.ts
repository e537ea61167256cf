/**
 * Finds the last block that a peer's selected chain has in common with this node, by block locators (specification network 1.8
 * A).
 *
 * The peer gives hashes of its chain, far apart first; between the highest known and the lowest unknown it is asked again
 * until they are neighbours.
 */
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { badField, hashBytes } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import type { Link } from "../link/link.ts";
import { ThroughputTimeout } from "./throughputTimeout.ts";
import { askOne } from "./holdConversation.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Where a peer's chain meets this node's. */
export type ForkPoint = {
  /** Tip of the peer's selected chain. */
  readonly sink: BlockHash;
  /** The peer's pruning point. */
  readonly point: BlockHash;
  /** Highest block of the peer's chain whose header is here; null when not even its pruning point is known. */
  readonly known: BlockHash | null;
};

/** Dependencies of the search. */
export type ForkPointParts = {
  readonly link: Link;
  readonly reader: Pick<ReaderHost, "ask">;
  readonly steadyMs: () => bigint;
  readonly signal: AbortSignal;
};

type Search = ForkPointParts & { readonly timeout: ThroughputTimeout };

type Bounds = { readonly low: BlockHash; readonly high: BlockHash };

/**
 * Finds the last common block. Rejects with `p2p/bad-message`, `p2p/stalled`, `run/aborted`, `header/known-invalid` when the
 * peer's chain holds a block that breaks a rule, and with why the link ended. All of it may take as long as a conversation:
 * nobody else is caught up with meanwhile.
 */
export async function findForkPoint(asked: ForkPointParts): Promise<ForkPoint> {
  const parts: Search = { ...asked, timeout: new ThroughputTimeout(asked.steadyMs) };
  for (let attempt = 0; attempt < P2P_LIMITS.syncLocatorRestarts; attempt += 1) {
    const hashes = await askLocator(parts, null);
    const [sink, point] = [hashes[0], hashes.at(-1)];
    if (sink === undefined || point === undefined) throw badField("hashes", "there are none");
    const known = await narrow(parts, hashes);
    if (known !== "moved") return { sink, point, known };
  }
  throw badField("hashes", "the chain moves faster than it can be asked for");
}

/** The highest known block of a locator and of those between its hashes. */
async function narrow(
  parts: Search,
  first: readonly BlockHash[],
): Promise<BlockHash | null | "moved"> {
  let hashes = first;
  for (let step = 0; step <= 2 * first.length; step += 1) {
    const index = await firstKnown(parts, hashes);
    const [high, low] = [hashes[index - 1], hashes[index]];
    if (low === undefined) return null;
    if (high === undefined || hashes.length <= 2) return low;
    hashes = await askLocator(parts, { low, high });
    if (hashes.length === 0) return "moved";
    if (hashes[0] !== high || hashes.at(-1) !== low) throw badField("hashes", "they end elsewhere");
  }
  throw badField("hashes", "they come no closer");
}

/** Number of the first hash that is known, which is the number of hashes where none is. */
async function firstKnown(
  { reader, signal }: ForkPointParts,
  hashes: readonly BlockHash[],
): Promise<number> {
  for (const [index, hash] of hashes.entries()) {
    const stage = await askFacts(reader, "blockStage", [hash], signal);
    if (stage === "invalid") throw new SvcError("header/known-invalid", { hash, reason: stage });
    if (stage !== undefined && stage !== "pruned") return index;
  }
  return hashes.length;
}

async function askLocator(
  { link, timeout, signal }: Search,
  bounds: Bounds | null,
): Promise<BlockHash[]> {
  const wire = (hash: BlockHash | undefined) => hash && { bytes: decodeHex(hash) };
  const { value } = await askOne(link, {
    payload: {
      $case: "requestIbdChainBlockLocator",
      value: { lowHash: wire(bounds?.low), highHash: wire(bounds?.high) },
    },
    answers: ["ibdChainBlockLocator"],
    waitMs: bounds === null ? timeout.waitMs : Math.min(timeout.waitMs, P2P_LIMITS.syncZoomMs),
    signal,
  });
  const [count, max] = [value.hashes.length, P2P_LIMITS.syncLocatorHashes];
  if (count > max) throw badField("hashes", `${count} of at most ${max}`);
  return value.hashes.map((hash) => asBlockHash(encodeHex(hashBytes("hashes", hash))));
}
