/**
 * What a wallet's refusal says of a refund. The daemon's keys decide: one whose job signed a payment never spends again, and one of which
 * nothing came may be used for the same call again. Whatever is not known to be one or the other may have paid.
 */
import {
  asSompi,
  asTxId,
  type Sompi,
  type TimestampMs,
  type TxId,
} from "@svc/shared/base/brand.ts";
import type { Code } from "@svc/shared/base/generated/codes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RefundInput } from "@svc/shared/invoice/refundInput.ts";
import { ADDRESS_REFUSALS } from "@svc/shared/protocol/contract/requestFields.ts";

/** Nothing was signed: the wallet may pay it later. */
const NOT_YET: ReadonlySet<Code> = new Set<Code>([
  "api/unknown-token",
  "prove/failed",
  "queue/full",
  "wallet/approval-full",
  "wallet/day-limit",
  "wallet/false-record",
  "wallet/fee-too-high",
  "wallet/funds-maturing",
  "wallet/insufficient-funds",
  "wallet/no-wallet",
  "wallet/not-synced",
  "wallet/opening",
  "wallet/payee-not-allowed",
  "wallet/payment-pending",
  "wallet/retry-unsafe",
  "wallet/rows-lost",
  "wallet/scope",
  "wallet/too-few-notes",
  "wallet/watch-only",
]);

/** It will never be paid in full under its key. */
const NEVER: ReadonlySet<Code> = new Set<Code>([
  ...ADDRESS_REFUSALS,
  "amount/zero",
  "tx/anchor-too-old",
  "tx/nullifier-spent",
  "wallet/cancelled",
  "wallet/partly-sent",
  "wallet/payment-rejected",
]);

const SOMPI = /^(?:0|[1-9][0-9]{0,18})$/;
const TXIDS = /\b[0-9a-f]{64}\b/g;

/** What happened to a refund of this amount whose payment was refused or not answered. */
export function payoutAnswer(error: SvcError, amount: Sompi, dueMs: TimestampMs): RefundInput {
  const json = error.toJSON();
  if (NEVER.has(error.code)) {
    return { kind: "failed", error: json, moved: movedOf(error, amount), txids: txidsOf(error) };
  }
  if (NOT_YET.has(error.code)) return { kind: "refused", error: json, dueMs };
  const job = SvcError.is(error, "wallet/approval-needed") ? (error.data["job"] ?? null) : null;
  return { kind: "unanswered", error: json, dueMs, job };
}

/** What cannot be read counts as the whole: it is not offered again. */
function movedOf(error: SvcError, amount: Sompi): Sompi {
  if (!SvcError.is(error, "wallet/partly-sent")) return asSompi(0n);
  const text = error.data["sompi"] ?? "";
  const moved = SOMPI.test(text) ? BigInt(text) : amount;
  return asSompi(moved < amount ? moved : amount);
}

/** The daemon names them as a list, which an error holds as text. */
function txidsOf(error: SvcError): readonly TxId[] {
  const text = SvcError.is(error, "wallet/partly-sent") ? error.data["txids"] : undefined;
  return (text?.match(TXIDS) ?? []).map(asTxId);
}
