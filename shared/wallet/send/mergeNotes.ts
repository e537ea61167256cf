/** Merges notes in the background, one transaction: as a payment to address 0 by the steps of every payment (specification wallet 11.6). */
import { throwIfAborted } from "../../base/abort.ts";
import { asSompi, type AddressText } from "../../base/brand.ts";
import { formatCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import { planBackgroundMerge } from "../plan/merging/planBackgroundMerge.ts";
import { isResumable } from "../reduce/orders.ts";
import { endWork } from "../reduce/outbox.ts";
import type { Payment } from "../state/payment.ts";
import { payReserved } from "./payReserved.ts";
import { planAtTurn, reserveAll, tipToPayAt, type NumberedPayment } from "./reservePayment.ts";
import type { SendParts } from "./sendPayment.ts";

/** A merge to make. */
export type MergeRequest = {
  /** Fresh and unique, without a colon. */
  readonly id: string;
  /** Text form of address 0. */
  readonly address: AddressText;
};

/**
 * Plans, proves, signs and broadcasts one merge, and tells the signer that nobody confirmed it. Resolves as `payReserved` does. Rejects
 * with `wallet/nothing-to-consolidate` where none is due, and like `tipToPayAt` and `payReserved`; a fired signal ends a merge that
 * was not broadcast, and frees its notes.
 */
export async function mergeNotes(
  parts: SendParts,
  request: MergeRequest,
  signal: AbortSignal,
): Promise<Payment> {
  throwIfAborted(signal);
  const payment = await reserve(parts, request);
  const { id } = payment;
  let plan;
  try {
    plan = planAtTurn({ ...parts, recoverable: false }, parts.sync, payment);
  } catch (thrown) {
    const error = SvcError.from(thrown).toJSON();
    await parts.sync.hold((state) => endWork(state, id, { type: "fail", error }));
    throw thrown;
  }
  return payReserved(parts, { id, plan, background: true }, () => undefined, signal);
}

async function reserve(
  { sync, clock, policy }: SendParts,
  { id, address }: MergeRequest,
): Promise<NumberedPayment> {
  let made: readonly NumberedPayment[] = [];
  await sync.update((state) => {
    tipToPayAt({ tip: sync.tip, fault: sync.fault, state });
    const isOpen = state.orders.some((order) => isResumable(state, order));
    const planned = isOpen ? null : planBackgroundMerge(state, policy, address);
    if (planned === null) throw nothingToMerge();
    const place = { state, tree: sync.tree, nowMs: clock.nowMs() };
    const next = reserveAll(place, [planned], () => id);
    made = next.payments;
    return next.state;
  });
  const [payment] = made;
  if (payment === undefined) throw nothingToMerge();
  return payment;
}

function nothingToMerge(): SvcError {
  const none = formatCoins(asSompi(0n));
  return new SvcError("wallet/nothing-to-consolidate", { notes: 0, sum: none, fee: none });
}
