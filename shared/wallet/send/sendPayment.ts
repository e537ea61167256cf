/** Sends a payment of one transaction: chooses its notes, and makes it (specification wallet 12.1). */
import { throwIfAborted } from "../../base/abort.ts";
import type { Sompi } from "../../base/brand.ts";
import { makeProvePlan } from "../plan/makeProvePlan.ts";
import { planPayment } from "../plan/planner.ts";
import { repeatedPayments } from "../plan/retry.ts";
import type { Payee, Payment } from "../state/payment.ts";
import type { ProveProgress } from "../state/ports.ts";
import type { ProvePlan } from "../state/provePlan.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { payReserved, type PayParts } from "./payReserved.ts";
import { checkFee, reserved, tipToPayAt } from "./reservePayment.ts";

/** Dependencies of sending. */
export type SendParts = PayParts & {
  readonly policy: WalletPolicy;
  /** The network profile, as JSON. */
  readonly profile: unknown;
  /** Full viewing key, hex of 96 bytes. */
  readonly fvk: string;
};

/** A payment to send, as its owner confirmed it. */
export type SendRequest = {
  /** Fresh and unique, for example a random UUID. */
  readonly id: string;
  readonly payees: readonly Payee[];
  /** The most that may be paid as fee; null for what the size demands. */
  readonly maxFee: Sompi | null;
  /**
   * The owner has confirmed that this is one more payment, though an equal one is still on its way or may have failed. Without
   * it the payment shares a note with each of those, so that at most one goes through.
   */
  readonly separate?: boolean;
  /** Whether the payment can be read back from the chain with the viewing key alone. */
  readonly recoverable: boolean;
};

/**
 * Plans, proves, signs and broadcasts a payment. The node is asked nothing before it gets the signed bytes: what it needs to
 * know of the chain the wallet has. Resolves as `payReserved` does. Rejects with the planner's errors, `wallet/fee-too-high`,
 * and like `tipToPayAt` and `payReserved`.
 */
export async function sendPayment(
  parts: SendParts,
  request: SendRequest,
  progress: ProveProgress,
  signal: AbortSignal,
): Promise<Payment> {
  throwIfAborted(signal);
  const plan = await reserve(parts, request);
  return payReserved(parts, { id: request.id, plan }, progress, signal);
}

/** Chooses notes and makes the prover's plan in one change, so no two payments get the same note. */
async function reserve(parts: SendParts, request: SendRequest): Promise<ProvePlan> {
  const { sync, policy } = parts;
  tipToPayAt(sync);
  let made: ProvePlan | undefined;
  await sync.update((state) => {
    const { daaScore } = tipToPayAt({ tip: sync.tip, fault: sync.fault, state });
    const repeated = request.separate === true ? [] : repeatedPayments(state, request.payees);
    const planned = planPayment(state, policy, request.payees, { repeated });
    checkFee(planned.fee, request.maxFee);
    const plan = makeProvePlan(planned, { ...parts, ...request, daaScore, tree: sync.tree });
    made = plan;
    const nowMs = parts.clock.nowMs();
    return reserved(state, { id: request.id, nowMs, planned, root: plan.anchor });
  });
  if (made === undefined) throw new TypeError("an update runs its change");
  return made;
}
