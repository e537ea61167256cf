/**
 * First check of a payment that comes to the pool. The engine decodes its bytes and tells its id with the rest, so that
 * nobody else has to; a refusal tells none.
 */
import type { TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TxCheck } from "../engine/calls/engineFacts.ts";

/** Dependencies of the check. */
export type FirstCheckParts = {
  /** Judges a payment against virtual, its proof aside. */
  readonly check: (raw: Uint8Array) => Promise<TxCheck>;
  /** Id of a RawTransaction. Errors: the codec's. */
  readonly identify: (raw: Uint8Array) => TxId;
  /** Ids that blocks applied lately. */
  readonly applied: { readonly has: (txid: TxId) => boolean };
};

/**
 * Checks a payment. That a block applied it lately is told before anything else that is wrong with it, since its notes are
 * spent by then. Errors: `mempool/already-applied`, and those of `check`.
 */
export async function firstCheck(raw: Uint8Array, parts: FirstCheckParts): Promise<TxCheck> {
  const { check, identify, applied } = parts;
  let found: TxCheck;
  try {
    found = await check(raw);
  } catch (error) {
    requireNew(identify(raw), applied);
    throw error;
  }
  requireNew(found.txid, applied);
  return found;
}

function requireNew(txid: TxId, applied: FirstCheckParts["applied"]): void {
  if (applied.has(txid)) throw new SvcError("mempool/already-applied", { txid });
}
