/**
 * Downloads headers of a peer's chain page by page: one page is judged while the next is on its way (specification network 1.8
 * E).
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { rawHeadersOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import { FORM_BOUNDS } from "@svc/shared/protocol/raw/formBounds.ts";
import type { InsertOutcome } from "../../engine/calls/engineFacts.ts";
import type { Link } from "../link/link.ts";
import { ThroughputTimeout } from "./throughputTimeout.ts";
import { holdConversation } from "./holdConversation.ts";

/** Dependencies of the download. */
export type HeaderParts = {
  readonly link: Link;
  /** Hands RawHeaders to an engine. */
  readonly insert: (raw: Uint8Array) => Promise<readonly InsertOutcome[]>;
  /** Hears how many headers have been judged, and the blue score of the last of them. */
  readonly onProgress: (count: number, blueScore: bigint) => void;
  readonly steadyMs: () => bigint;
  readonly signal: AbortSignal;
};

/**
 * Downloads the headers of `high`'s past that `low`'s lacks, and `high`'s own. Rejects with the refusal of a header,
 * `p2p/bad-message`, `p2p/stalled`, `run/aborted`, and with why the link ended.
 */
export function fetchHeaders(
  parts: HeaderParts,
  { low, high }: { readonly low: BlockHash; readonly high: BlockHash },
): Promise<void> {
  const value = { lowHash: wire(low), highHash: wire(high) };
  return fetchPages(parts, { $case: "requestHeaders", value });
}

/** Downloads the headers of `context`'s past, and its own, that `block`'s past lacks; rejects in the same way. */
export function fetchAntipast(
  parts: HeaderParts,
  { block, context }: { readonly block: BlockHash; readonly context: BlockHash },
): Promise<void> {
  const value = { blockHash: wire(block), contextHash: wire(context) };
  return fetchPages(parts, { $case: "requestAntipast", value });
}

async function fetchPages(parts: HeaderParts, payload: P2pPayload): Promise<void> {
  const { link, signal, steadyMs } = parts;
  const timeout = new ThroughputTimeout(steadyMs);
  const isPaged = payload.$case === "requestHeaders";
  const answers = ["blockHeaders", "doneHeaders"] as const;
  await holdConversation(link, { payload, answers, capacity: 2 }, async (route) => {
    let judged = Promise.resolve();
    let reached = -1n;
    try {
      for (;;) {
        const page = (await route.next(timeout.waitMs, signal)).payload;
        // One page at a time is judged: what waits in memory is this page and the next.
        await judged;
        if (page.$case === "doneHeaders") return;
        const { blockHeaders } = page.value;
        const score = blockHeaders.at(-1)?.blueScore;
        if (score === undefined) throw badField("blockHeaders", "there are none");
        // Each ends with a block of the chain, so whoever sends the same ones again and again is found out.
        if (score <= reached) throw badField("blockHeaders", "they lead no further");
        reached = score;
        timeout.add(blockHeaders.length);
        if (isPaged) link.send({ $case: "requestNextHeaders", value: {} });
        judged = insertAll(parts, blockHeaders);
        // A failure is thrown when the page is waited for; until then nobody listens.
        judged.catch(() => undefined);
      }
    } finally {
      await judged.catch(() => undefined);
    }
  });
}

async function insertAll(parts: HeaderParts, headers: readonly P2pBlockHeader[]): Promise<void> {
  for (let from = 0; from < headers.length; from += FORM_BOUNDS.headers) {
    const part = headers.slice(from, from + FORM_BOUNDS.headers);
    for (const outcome of await parts.insert(rawHeadersOf(part))) {
      if (outcome.kind === "rejected") throw SvcError.fromJson(outcome);
      if (outcome.kind === "missingParents") throw badField("blockHeaders", "parents are missing");
    }
    parts.onProgress(part.length, part.at(-1)?.blueScore ?? 0n);
  }
}

function wire(hash: BlockHash): { bytes: Uint8Array } {
  return { bytes: decodeHex(hash) };
}
