/** Broadcasts signed payments: hands them to a node, the same bytes every time (specification wallet 13.4). */
import { throwIfAborted } from "../../base/abort.ts";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import {
  duePayments,
  meansTaken,
  paymentOf,
  reduceOutbox,
  type PaymentEvent,
} from "../reduce/outbox.ts";
import { isChainStatus, type Payment } from "../state/payment.ts";
import type { ClockPort, NodePort } from "../state/ports.ts";
import type { WalletHandle } from "../state/walletHandle.ts";

/** Dependencies of broadcasting. */
export type BroadcastParts = {
  readonly sync: WalletHandle;
  readonly node: Pick<NodePort, "submit">;
  readonly clock: ClockPort;
};

/** Applies an event to one payment and commits it. Resolves with the payment after it. */
export async function advancePaymentIn(
  sync: WalletHandle,
  id: string,
  event: PaymentEvent,
): Promise<Payment> {
  return paymentOf(await sync.update((state) => reduceOutbox(state, id, event)), id);
}

/**
 * Makes one attempt for one signed payment. A refusal is kept in the payment's status and is no error
 * here; only `wallet/storage` is. Once the bytes may have left, a stop leaves the payment queued:
 * nobody can know whether the node has it.
 */
export async function broadcast(
  parts: BroadcastParts,
  id: string,
  signal: AbortSignal,
): Promise<Payment> {
  const { sync, node, clock } = parts;
  const payment = await advancePaymentIn(sync, id, { type: "attempt", nowMs: clock.nowMs() });
  // What a block already decided needs no node, and a node that is asked would learn whose it is.
  if (payment.raw === null || isChainStatus(payment.status)) return payment;
  try {
    const answered = await node.submit(decodeHex(payment.raw), signal);
    if (payment.txid !== null && answered !== payment.txid) {
      throw new SvcError("wallet/bad-page", { reason: "the node names another transaction" });
    }
  } catch (thrown) {
    if (signal.aborted) return paymentOf(sync.state, id);
    const error = SvcError.from(thrown);
    if (!meansTaken(error)) {
      return advancePaymentIn(sync, id, { type: "refused", error: error.toJSON() });
    }
  }
  return advancePaymentIn(sync, id, { type: "taken" });
}

/** Makes one attempt for every payment that is due. */
export async function broadcastDue(parts: BroadcastParts, signal: AbortSignal): Promise<void> {
  for (const { id } of duePayments(parts.sync.state, parts.clock.nowMs())) {
    throwIfAborted(signal);
    await broadcast(parts, id, signal);
  }
}
