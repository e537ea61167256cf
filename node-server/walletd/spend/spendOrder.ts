/** Spend orders: what a call asks for, checked as a whole, in the form in which its job keeps it. */
import * as v from "valibot";
import {
  asAddressText,
  asRawAddress,
  asSompi,
  type Hash32,
  type Sompi,
} from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { apiSentenceOf } from "@svc/shared/protocol/wallet/apiError.ts";
import { lowerCaseAddress } from "@svc/shared/wallet/plan/payee.ts";
import type { PayoutBatch, PayoutRow } from "@svc/shared/wallet/plan/payoutFile.ts";
import { checkFee } from "@svc/shared/wallet/send/reservePayment.ts";
import { walletFee } from "@svc/shared/wallet/state/fee.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import type { Payee } from "@svc/shared/wallet/state/payment.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { requestHash } from "../store/idempotencyTable.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { ScopedAccess } from "./tokens/tokenBook.ts";

/** What a call may ask for; the names are those of the jobs. */
export type SpendKind = "send" | "sendMany" | "consolidate" | "payout";

const KINDS: ReadonlySet<string> = new Set<SpendKind>([
  "send",
  "sendMany",
  "consolidate",
  "payout",
]);

/** Whether a job of this kind spends. */
export function isSpendKind(kind: string): kind is SpendKind {
  return KINDS.has(kind);
}

/** A payee as a caller names it: an address, sompi, and the text of the memo. */
export type PayeeRequest = {
  readonly to: string;
  readonly amount: bigint;
  readonly memo?: string;
};

/** Bounds of the fees of a call. */
export type FeeBounds = {
  /** The least fee of each transaction, in sompi; its size may demand more. */
  readonly feeFloor?: bigint;
  /** The most that all transactions of the call may cost together, in sompi. */
  readonly maxFee?: bigint;
};

/** A payment to one payee. */
export type SendRequest = PayeeRequest & FeeBounds;
/** Payments to several payees, in this order. */
export type SendManyRequest = FeeBounds & { readonly payees: readonly PayeeRequest[] };
/** A merge of notes: the smallest first, or the oldest. */
export type ConsolidateRequest = FeeBounds & { readonly order: "smallest" | "oldest" };

/** The place of a payout in its file, and what its writer calls it. */
export type PayoutLine = Pick<PayoutRow, "line" | "reference">;

/** A checked call. */
export type SpendOrder = {
  readonly kind: SpendKind;
  /** Empty for a merge. */
  readonly payees: readonly Payee[];
  /** For a batch of payouts: where each payee stands in the file. */
  readonly lines?: readonly PayoutLine[];
  readonly feeFloor: Sompi;
  readonly maxFee: Sompi | null;
  /** For a merge. */
  readonly order: "smallest" | "oldest";
};

/** What a job keeps of its call. */
export type JobRequest = {
  readonly order: SpendOrder;
  /** The caller's idempotency key. */
  readonly key: string | null;
  /** The scoped token of the caller, without the payees that it may pay; null for the owner. */
  readonly by: ScopedAccess | null;
};

/** What the check needs to know about addresses. */
export type OrderParts = {
  readonly core: Pick<CoreGlue, "decodeAddress" | "addressIndexOf">;
  /** Prefix of the network's addresses. */
  readonly hrp: string;
  /** The wallet's viewing key. */
  readonly fvk: Uint8Array;
};

const requestSchema: v.GenericSchema<unknown, JobRequest> = v.object({
  order: v.object({
    kind: v.picklist(["send", "sendMany", "consolidate", "payout"]),
    payees: v.array(
      v.object({
        address: fields.addressText,
        recipient: fields.rawAddress,
        value: fields.sompi,
        memo: fields.hex,
        own: v.boolean(),
      }),
    ),
    lines: v.exactOptional(
      v.array(v.object({ line: fields.u32, reference: v.nullable(v.string()) })),
    ),
    feeFloor: fields.sompi,
    maxFee: v.nullable(fields.sompi),
    order: v.picklist(["smallest", "oldest"]),
  }),
  key: v.nullable(v.string()),
  by: v.nullable(
    v.object({
      id: v.string(),
      hash: fields.hash32,
      limits: v.object({
        daySompi: v.nullable(fields.sompi),
        payees: v.null(),
        approvalAboveSompi: v.nullable(fields.sompi),
      }),
    }),
  ),
});

/** Checks a payment. Throws `address/…`, `amount/zero`, `wallet/memo-too-long`, `codec/number-out-of-range`. */
export function sendOrder(parts: OrderParts, request: SendRequest): SpendOrder {
  return { ...feesOf(request), kind: "send", payees: [payeeOf(parts, request)], order: "smallest" };
}

/**
 * Checks a payment to many. Throws `wallet/bad-payee` with the place of the first payee that is wrong and what is, `amount/zero`
 * for none, `codec/count-too-large`, `codec/number-out-of-range`.
 */
export function sendManyOrder(parts: OrderParts, request: SendManyRequest): SpendOrder {
  const { length: count } = request.payees;
  const max = PROTOCOL_LIMITS.payeesPerCall;
  if (count > max) throw new SvcError("codec/count-too-large", { count, max });
  if (count === 0) throw new SvcError("amount/zero", {});
  const payees = request.payees.map((payee, index) => {
    try {
      return payeeOf(parts, payee);
    } catch (thrown) {
      const reason = apiSentenceOf(SvcError.from(thrown));
      throw new SvcError("wallet/bad-payee", { index, reason }, thrown);
    }
  });
  // The sum is a number, too.
  asSompi(payees.reduce((sum, { value }) => sum + value, 0n));
  return { ...feesOf(request), kind: "sendMany", payees, order: "smallest" };
}

/** The order of a batch of payouts, which was checked when it was read. Throws `codec/number-out-of-range`. */
export function payoutOrder({ rows }: PayoutBatch, fees: FeeBounds): SpendOrder {
  return {
    ...feesOf(fees),
    kind: "payout",
    payees: rows.map(({ payee }) => payee),
    lines: rows.map(({ line, reference }) => ({ line, reference })),
    order: "smallest",
  };
}

/** Checks a merge. Throws `codec/number-out-of-range`. */
export function consolidateOrder(request: ConsolidateRequest): SpendOrder {
  return { ...feesOf(request), kind: "consolidate", payees: [], order: request.order };
}

/**
 * Checks the least fee that a caller names without a `max_fee`: one that no transaction of any size needs is a mistake, and would
 * be burnt. Whoever means it names a `max_fee`. Throws `wallet/fee-too-high`.
 */
export function checkFeeFloor({ feeFloor, maxFee }: Pick<SpendOrder, "feeFloor" | "maxFee">): void {
  if (maxFee !== null) return;
  const largest = walletFee(WALLET_LIMITS.walletActionsMax);
  checkFee(feeFloor, asSompi(WALLETD_LIMITS.spendFeeFactor * largest));
}

/** The hash by which a repetition of a call is known: equal calls have equal ones, however they were written. */
export function orderHash(order: SpendOrder): Hash32 {
  return requestHash(order.kind, new TextEncoder().encode(stableJson(order)));
}

/** Encodes what a job keeps. Its payees were checked; the token's list of them is left out. */
export function encodeJobRequest({ order, key, by }: JobRequest): string {
  const kept = by === null ? null : { ...by, limits: { ...by.limits, payees: null } };
  return stableJson({ order, key, by: kept });
}

/** Decodes what a job keeps. Throws `store/corrupt`. */
export function decodeJobRequest(text: string): JobRequest {
  try {
    return v.parse(requestSchema, JSON.parse(text));
  } catch (cause) {
    throw new SvcError("store/corrupt", { table: "jobs", reason: "the request of a job" }, cause);
  }
}

function feesOf({ feeFloor = 0n, maxFee }: FeeBounds): Pick<SpendOrder, "feeFloor" | "maxFee"> {
  return { feeFloor: asSompi(feeFloor), maxFee: maxFee === undefined ? null : asSompi(maxFee) };
}

function payeeOf({ core, hrp, fvk }: OrderParts, { to, amount, memo = "" }: PayeeRequest): Payee {
  if (amount <= 0n) throw new SvcError("amount/zero", {});
  const address = lowerCaseAddress(to.trim());
  const raw = callCore(() => core.decodeAddress(hrp, address));
  return {
    address: asAddressText(address),
    recipient: asRawAddress(encodeHex(raw)),
    value: asSompi(amount),
    memo: encodeMemo(memo),
    own: callCore(() => core.addressIndexOf(fvk, raw)) !== undefined,
  };
}
