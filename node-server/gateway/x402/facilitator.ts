/**
 * The facilitator of x402: checks payments that nobody has broadcast, and broadcasts them. A payment is bound to its challenge before it
 * is called valid, and is written down as going out before it goes out: whoever asks again, also after a kill, has the same answer.
 */
import type { Hash32, InvoiceId, MerchantId, TxId } from "@svc/shared/base/brand.ts";
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Merchant, RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import type { InvoiceWatchPort } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import type {
  ChallengeWish,
  FacilitatorPort,
  MadeChallenge,
  PaymentFault,
  PresentedPayment,
  Settlement,
  Spending,
} from "@svc/shared/gateway/x402/facilitatorPort.ts";
import { assessInvoice } from "@svc/shared/invoice/assessInvoice.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { ChallengeRow } from "../store/challengeTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { ChallengeDesk, FoundChallenge } from "./challengeDesk.ts";
import { DepthWaits } from "./depthWaits.ts";
import { paymentFaultOf, unavailableFor } from "./paymentFault.ts";
import type { PaymentReader } from "./paymentReader.ts";
import { isLost, paymentsOf } from "./paymentsOf.ts";
import { Places } from "./places.ts";

/** The node, as far as payments of x402 need it. */
export interface PaymentNode {
  /** Resolves where the pool would take a payment. Rejects with the verdict on it, or the node's own errors. */
  probe(raw: Uint8Array, txid: TxId, signal: AbortSignal): Promise<void>;
  /** Broadcasts a payment. */
  submit(raw: Uint8Array, signal: AbortSignal): Promise<TxId>;
}

/** Dependencies. */
export type FacilitatorParts = {
  /** The network by its genesis block (CAIP-2). */
  readonly network: string;
  readonly store: Pick<GatewayStore, "challenges" | "invoices">;
  readonly challenges: ChallengeDesk;
  readonly reader: Pick<PaymentReader, "txidOf" | "read">;
  readonly node: PaymentNode;
  readonly watch: InvoiceWatchPort;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  /** An invoice may be another one. */
  readonly onChange: (id: InvoiceId) => void;
};

/** Checks and settles. */
export class Facilitator implements FacilitatorPort {
  readonly network: string;
  readonly #parts: FacilitatorParts;
  readonly #checks = new Places({
    most: GATEWAY_LIMITS.paymentChecks,
    share: GATEWAY_LIMITS.paymentChecksPerMerchant,
    reason: "too many payments are checked",
  });
  readonly #settlements = new Places({
    most: GATEWAY_LIMITS.settlements,
    share: GATEWAY_LIMITS.settlementsPerMerchant,
    reason: "too many payments are settled",
  });
  /** Broadcasts under way: one for each challenge. */
  readonly #sending = new Map<InvoiceId, Promise<void>>();
  readonly #waits: DepthWaits;
  #sentLast: InvoiceId | null = null;

  constructor(parts: FacilitatorParts) {
    this.#parts = parts;
    this.network = parts.network;
    const { watch, clock } = parts;
    this.#waits = new DepthWaits({ watch, clock, isOver: (id) => this.#isWaitOver(id) });
  }

  challenge(
    merchant: Merchant,
    wish: ChallengeWish,
    request: RequestKey | null,
  ): Promise<MadeChallenge> {
    return this.#parts.challenges.make(merchant, wish, request);
  }

  async upload(challenge: InvoiceId, raw: Uint8Array): Promise<TxId> {
    const txid = this.#parts.reader.txidOf(raw);
    await this.#parts.challenges.keep(challenge, raw);
    return txid;
  }

  async verify(
    merchant: MerchantId,
    payment: PresentedPayment,
    signal: AbortSignal,
  ): Promise<PaymentFault | null> {
    const found = this.#parts.challenges.find(merchant, payment);
    if (found === null) return "invalid_payment_requirements";
    if (found.row.told !== null) return "invalid_exact_svc_already_used";
    return this.#checks.run(merchant, () => this.#admit(found, payment, signal));
  }

  async settle(
    merchant: MerchantId,
    payment: PresentedPayment,
    caller: Hash32 | null,
    signal: AbortSignal,
  ): Promise<Settlement> {
    const found = this.#parts.challenges.find(merchant, payment);
    if (found === null) return { kind: "refused", fault: "invalid_payment_requirements" };
    const fault = await this.#settlements.run(merchant, () => this.#begin(found, payment, signal));
    if (fault !== null) return { kind: "refused", fault };
    return this.#outcome(payment.challenge, caller, signal);
  }

  spend(merchant: MerchantId, sessionHash: Hash32, amount: bigint): Promise<Spending> {
    return this.#parts.challenges.spend(merchant, sessionHash, amount);
  }

  /** Broadcasts again a part of what went out and had no answer, or is in no block yet, the next part next time. Rejects with `store/…`. */
  async sendAgain(signal: AbortSignal): Promise<void> {
    const most = GATEWAY_LIMITS.settleBatch;
    const ids = this.#parts.store.challenges.sending(this.#sentLast, most);
    this.#sentLast = ids.length < most ? null : (ids.at(-1) ?? null);
    for (const id of ids) {
      if (signal.aborted) return;
      await this.#send(id, false, signal);
    }
  }

  /** A payment whose challenge has none yet is read, asked about and bound; one that is bound is asked about again. */
  async #admit(
    { row, invoice }: FoundChallenge,
    payment: PresentedPayment,
    signal: AbortSignal,
  ): Promise<PaymentFault | null> {
    if (row.state === "refused") return "invalid_exact_svc_challenge_over";
    const held = row.payment === null ? this.#handedOver(payment) : this.#bound(row, payment);
    if (typeof held === "string") return held;
    if (row.state === "sending" || row.state === "settled") return null;
    if (this.#parts.clock.nowMs() >= row.expiresMs) return "invalid_exact_svc_challenge_over";
    if (row.sessionS !== null && payment.sessionHash === null) return "invalid_exact_svc_session";
    const { raw, txid } = held;
    try {
      if (row.payment !== null) {
        await this.#parts.node.probe(raw, txid, signal);
        return null;
      }
      const read = await this.#parts.reader.read(raw, invoice.terms.address, signal);
      const paid = read.outputs.reduce((sum, { amount }) => sum + amount, 0n);
      if (paid === 0n) return "invalid_exact_svc_recipient";
      if (paid !== invoice.terms.amount) return "invalid_exact_svc_amount";
      await this.#parts.node.probe(raw, txid, signal);
      const sessionHash = row.sessionS === null ? null : payment.sessionHash;
      return await this.#parts.challenges.bind(row.id, { ...read, sessionHash }, raw);
    } catch (thrown) {
      const error = SvcError.from(thrown);
      const fault = paymentFaultOf(error);
      if (fault === null) throw unavailableFor(error);
      return fault;
    }
  }

  /** The payment that is bound, where it is the one that is presented. */
  #bound(row: ChallengeRow, payment: PresentedPayment): Held | PaymentFault {
    const known = row.payment;
    const txid = payment.raw === null ? payment.txid : this.#idOf(payment.raw);
    if (known === null || txid !== known.txid) return "invalid_exact_svc_already_used";
    const isSameSession = known.sessionHash === null || known.sessionHash === payment.sessionHash;
    if (!isSameSession) return "invalid_exact_svc_session";
    const raw = this.#parts.store.challenges.payment(row.id) ?? new Uint8Array();
    return { raw, txid };
  }

  /** The payment that is presented, or that was uploaded before. */
  #handedOver({ challenge, raw: own, txid: named }: PresentedPayment): Held | PaymentFault {
    const raw = own ?? this.#parts.store.challenges.payment(challenge) ?? null;
    const txid = raw === null ? null : this.#idOf(raw);
    if (raw === null || txid === null) return "invalid_payload";
    return named !== null && named !== txid ? "invalid_payload" : { raw, txid };
  }

  #idOf(raw: Uint8Array): TxId | null {
    try {
      return this.#parts.reader.txidOf(raw);
    } catch {
      return null;
    }
  }

  /** Brings a payment on its way; null where it is. */
  async #begin(
    found: FoundChallenge,
    payment: PresentedPayment,
    signal: AbortSignal,
  ): Promise<PaymentFault | null> {
    const { challenges } = this.#parts;
    const { id, state } = found.row;
    // What was bound was judged then; the node judges it again when it is handed over.
    const fault =
      state === "bound" && this.#parts.clock.nowMs() < found.row.expiresMs
        ? faultIn(this.#bound(found.row, payment))
        : await this.#admit(found, payment, signal);
    if (fault !== null) return fault;
    const isFirst = await challenges.beginSending(id);
    const row = this.#parts.store.challenges.get(id);
    if (row?.state === "bound") return "invalid_exact_svc_challenge_over";
    if (row?.state === "sending") await this.#send(id, isFirst, signal);
    return null;
  }

  async #outcome(id: InvoiceId, caller: Hash32 | null, signal: AbortSignal): Promise<Settlement> {
    const row = this.#parts.store.challenges.get(id);
    if (row?.state === "refused") return { kind: "refused", fault: "invalid_transaction_state" };
    const amount = this.#parts.store.invoices.get(id)?.terms.amount;
    if (row?.state !== "settled" || row.payment === null || amount === undefined) {
      return { kind: "pending" };
    }
    if (row.depth !== null) await this.#waits.wait(id, row.merchant, signal);
    if (row.told === null && this.#isLost(row)) return { kind: "pending" };
    if (row.depth !== null && !this.#isDeep(id)) return { kind: "pending" };
    const isFirst = await this.#parts.challenges.tell(id, caller);
    return { kind: "settled", txid: row.payment.txid, amount, replayed: !isFirst };
  }

  /** Whether there is nothing to wait for: the payment is as deep as it must be, or in no pool and no block. */
  #isWaitOver(id: InvoiceId): boolean {
    const row = this.#parts.store.challenges.get(id);
    return row?.state !== "settled" || this.#isDeep(id) || this.#isLost(row);
  }

  #isDeep(id: InvoiceId): boolean {
    const invoice = this.#parts.store.invoices.get(id);
    if (invoice === undefined) return false;
    const { status } = assessInvoice(invoice, this.#parts.clock.nowMs());
    return status === "confirmed" || status === "overpaid";
  }

  /** Broadcasts once for all who ask at the same time. */
  #send(id: InvoiceId, isFirst: boolean, signal: AbortSignal): Promise<void> {
    const running = this.#sending.get(id);
    if (running !== undefined) return running;
    const run = this.#broadcast(id, isFirst, signal).finally(() => this.#sending.delete(id));
    this.#sending.set(id, run);
    return run;
  }

  async #broadcast(id: InvoiceId, isFirst: boolean, signal: AbortSignal): Promise<void> {
    const { store, node, challenges, onChange } = this.#parts;
    const row = store.challenges.get(id);
    const raw = store.challenges.payment(id);
    if (row === undefined || row.payment === null || raw === undefined) return;
    if (row.state === "settled") return this.#keepOut(row, raw, signal);
    if (row.state !== "sending") return;
    try {
      await node.submit(raw, signal);
    } catch (thrown) {
      const error = SvcError.from(thrown);
      // `done`: the pool has it, or a block.
      if (!isOfClass(error, "done") && !this.#hasArrived(row)) {
        if (this.#isRefused(row, error, isFirst)) await challenges.refuse(id);
        return;
      }
    }
    await challenges.settle(id);
    onChange(id);
  }

  /** A pool may forget what it took, and nobody else broadcasts it: it goes out again until a block has it, and is kept until that is deep. */
  async #keepOut(row: ChallengeRow, raw: Uint8Array, signal: AbortSignal): Promise<void> {
    const { store, node, challenges, onChange } = this.#parts;
    const payments = paymentsOf(store, row);
    if (payments.length > 0 && payments.every(({ settled }) => settled)) {
      return challenges.forgetSettled(row.id);
    }
    if (payments.some(({ place }) => place.kind === "mined")) return;
    try {
      await node.submit(raw, signal);
    } catch (thrown) {
      // A refusal changes nothing: another node may have the payment. The challenge is over when its doubt is.
      if (!isOfClass(SvcError.from(thrown), "done")) return;
    }
    if (!payments.some(isLost)) return;
    await challenges.settleAgain(row.id);
    onChange(row.id);
  }

  /** Whether the node's refusal is the last word. A payment that may be out is waited for: another node, or a block, may have it. */
  #isRefused(row: ChallengeRow, error: SvcError, isFirst: boolean): boolean {
    if (paymentFaultOf(error) === null) return false;
    return isFirst || this.#parts.clock.nowMs() >= row.expiresMs + GATEWAY_LIMITS.settleDoubtMs;
  }

  /** Whether the scan has found the payment, in the pool or in a block. */
  #hasArrived(row: ChallengeRow): boolean {
    return paymentsOf(this.#parts.store, row).some((payment) => !isLost(payment));
  }

  #isLost(row: ChallengeRow): boolean {
    return paymentsOf(this.#parts.store, row).some(isLost);
  }
}

/** A payment that is here. */
type Held = { readonly raw: Uint8Array; readonly txid: TxId };

function faultIn(held: Held | PaymentFault): PaymentFault | null {
  return typeof held === "string" ? held : null;
}
