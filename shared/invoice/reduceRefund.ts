/**
 * The state machine of a refund: requested, claimed, approved, sent, confirmed; or cancelled, or failed.
 *
 * It is pure. It never lets more be approved than there is room for, and knows from what is written down before a wallet is asked
 * whether the wallet may have paid: such a refund is not cancelled, and no other wallet is asked for it.
 */
import { SvcError } from "../base/svcError.ts";
import type { Refund } from "./refund.ts";
import type { RefundInput, RefundMoment } from "./refundInput.ts";
import { isOver } from "./refundRoom.ts";

/**
 * The refund after something happened; the same object where that changes nothing. Throws `gateway/claim-over`,
 * `gateway/refund-state`, `gateway/refund-address`, `gateway/refund-too-large`, `gateway/payout-wallet`.
 */
export function reduceRefund(before: Refund, input: RefundInput, moment: RefundMoment): Refund {
  const refund = isOver(before, moment.nowMs) ? cancelled(before) : before;
  const after = applied(refund, input, moment);
  return isShown(before, after) ? { ...after, updatedMs: moment.nowMs } : after;
}

function applied(refund: Refund, input: RefundInput, moment: RefundMoment): Refund {
  switch (input.kind) {
    case "look":
      return refund;
    case "claim":
      if (!isClaimable(refund, moment)) throw new SvcError("gateway/claim-over", {});
      return { ...refund, state: "claimed", address: input.address };
    case "approve":
      return approved(refund, input.address, moment);
    case "cancel":
      return givenUp(refund);
    case "ask":
      return asked(refund, input, moment);
    case "paid": {
      const { txids, dueMs } = input;
      if (refund.state === "sent" || refund.state === "confirmed") return refund;
      // Money that has left is told in whatever state the refund is.
      const moved = refund.terms.amount;
      const ended = { attempt: null, error: null, tries: 0 };
      return { ...refund, ...ended, state: "sent", txids, moved, dueMs };
    }
    case "failed": {
      const { error, moved, txids } = input;
      if (refund.state !== "approved") return refund;
      return { ...refund, state: "failed", attempt: null, error, moved, txids, dueMs: null };
    }
    case "confirmed":
      if (refund.state !== "sent") return refund;
      return { ...refund, state: "confirmed", error: null, dueMs: null };
    case "refused":
    case "unanswered":
    case "later":
      return putOff(refund, input);
  }
}

function isClaimable({ state, terms }: Refund, { nowMs }: RefundMoment): boolean {
  return (state === "requested" || state === "claimed") && nowMs < terms.expiresMs;
}

function approved(refund: Refund, address: Refund["address"], moment: RefundMoment): Refund {
  if (refund.state !== "claimed") throw wrongState(refund);
  if (refund.address !== address) throw new SvcError("gateway/refund-address", {});
  requireRoom(refund, moment);
  return { ...refund, state: "approved", error: null, tries: 0, dueMs: moment.nowMs };
}

function givenUp(refund: Refund): Refund {
  const { state, attempt } = refund;
  if (state === "cancelled") return refund;
  const isFree = state === "requested" || state === "claimed" || state === "approved";
  if (!isFree || attempt !== null) throw wrongState(refund);
  return cancelled(refund);
}

function cancelled(refund: Refund): Refund {
  return { ...refund, state: "cancelled", error: null, dueMs: null };
}

/** A question after one without an answer is the same question: whether there is room was seen to with the first. */
function asked(
  refund: Refund,
  { wallet, maxFee }: Extract<RefundInput, { readonly kind: "ask" }>,
  moment: RefundMoment,
): Refund {
  const { state, attempt } = refund;
  if (state !== "approved") throw wrongState(refund);
  if (attempt === null) requireRoom(refund, moment);
  else if (attempt.wallet !== wallet) throw new SvcError("gateway/payout-wallet", {});
  // A payment that waits for the wallet's owner was an answer.
  const isOpen = attempt !== null && (attempt.isOpen || attempt.job === null);
  return { ...refund, maxFee: refund.maxFee ?? maxFee, attempt: { wallet, isOpen, job: null } };
}

function putOff(
  refund: Refund,
  input: Extract<RefundInput, { readonly kind: "refused" | "unanswered" | "later" }>,
): Refund {
  if (refund.state !== "approved" && refund.state !== "sent") return refund;
  const { error, dueMs } = input;
  const next = { ...refund, error, dueMs, tries: refund.tries + 1 };
  const { attempt } = refund;
  if (attempt === null || input.kind === "later") return next;
  if (input.kind === "unanswered") return { ...next, attempt: { ...attempt, job: input.job } };
  return { ...next, attempt: attempt.isOpen ? attempt : null };
}

function requireRoom({ terms }: Refund, { room }: RefundMoment): void {
  if (terms.amount <= room) return;
  throw new SvcError("gateway/refund-too-large", { asked: terms.amount, max: room });
}

function wrongState({ state }: Refund): SvcError {
  return new SvcError("gateway/refund-state", { state });
}

/** Whether somebody who reads it sees a difference. */
function isShown(before: Refund, after: Refund): boolean {
  return (
    before.state !== after.state ||
    before.address !== after.address ||
    before.error?.code !== after.error?.code
  );
}
