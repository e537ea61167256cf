/**
 * Challenges of x402 in the gateway's database: how one comes to be, takes a payment, and gives it back. Each step is one commit, and is
 * judged by what is there in it: of two requests that come at the same time, one finds what the other did.
 */
import {
  asTimestampMs,
  type Hash32,
  type InvoiceId,
  type MerchantId,
} from "@svc/shared/base/brand.ts";
import { asBlueScore, asSompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { InvoicePort, Merchant, RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import type {
  Challenge,
  ChallengeWish,
  MadeChallenge,
  PaymentFault,
  PresentedPayment,
  Spending,
} from "@svc/shared/gateway/x402/facilitatorPort.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { textKey } from "../../storage/rows/storeKeys.ts";
import type { InvoiceDesk } from "../desk/invoiceDesk.ts";
import { NO_CALLER, type BoundPayment, type ChallengeRow } from "../store/challengeTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import { forgetUnpaid } from "./forgetUnpaid.ts";
import { CHALLENGE_ORDER } from "../desk/revivedInvoice.ts";
import { isLost, paymentsOf } from "./paymentsOf.ts";

/** Dependencies. */
export type ChallengeDeskParts = {
  readonly store: GatewayStore;
  readonly desk: InvoicePort & Pick<InvoiceDesk, "apply">;
  readonly clock: Pick<Clock, "nowMs">;
};

/** A challenge with its invoice. */
export type FoundChallenge = { readonly row: ChallengeRow; readonly invoice: Invoice };

const NOTHING = asSompi(0n);

/** The challenges of a gateway. */
export class ChallengeDesk {
  readonly #parts: ChallengeDeskParts;

  constructor(parts: ChallengeDeskParts) {
    this.#parts = parts;
  }

  /** Makes a challenge, once for each idempotency key. Rejects as `InvoicePort.create`. */
  async make(
    merchant: Merchant,
    wish: ChallengeWish,
    request: RequestKey | null,
  ): Promise<MadeChallenge> {
    const { store, desk } = this.#parts;
    const depth = depthOf(merchant, wish);
    const order = orderOf(merchant, wish, depth);
    const { invoice, isReplay } = await desk.create(merchant.id, order, request);
    const { id, createdMs, expiresMs } = invoice.terms;
    // An invoice whose challenge was not written before a kill: nobody has heard of it.
    const row = await store.run((batch) => {
      const known = store.challenges.get(id, batch);
      if (known !== undefined) return known;
      const { resource, sessionS } = wish;
      const made: ChallengeRow = {
        ...{ id, merchant: merchant.id, resource, depth, sessionS, createdMs, expiresMs },
        state: "open",
        payment: null,
        told: null,
      };
      store.challenges.put(batch, made);
      const keyHash = request === null ? null : textKey(request.key);
      store.challenges.putEnd(batch, { id, endMs: expiresMs, keyHash }, true);
      return made;
    });
    return { challenge: shown({ row, invoice }), isReplay };
  }

  /** Keeps a payment that was handed over. Rejects with `gateway/no-invoice`, `gateway/wrong-state`. */
  async keep(id: InvoiceId, raw: Uint8Array): Promise<void> {
    const { store } = this.#parts;
    await store.run((batch) => {
      const row = store.challenges.get(id, batch);
      if (row === undefined) throw new SvcError("gateway/no-invoice", {});
      const isOpen = row.state === "open" && this.#nowMs() < row.expiresMs;
      if (!isOpen) throw new SvcError("gateway/wrong-state", { status: row.state });
      store.challenges.putPayment(batch, row, raw);
    });
  }

  /** The challenge that a payment is presented for; null where it has other terms, or another merchant. */
  find(merchant: MerchantId, payment: PresentedPayment): FoundChallenge | null {
    const { store } = this.#parts;
    const row = store.challenges.get(payment.challenge);
    const invoice = store.invoices.get(payment.challenge);
    if (row?.merchant !== merchant || invoice === undefined) return null;
    const { amount, address } = invoice.terms;
    const isSame =
      payment.amount === String(amount) &&
      payment.payTo === address.text &&
      (payment.resource ?? row.resource) === row.resource;
    return isSame ? { row, invoice } : null;
  }

  /** Binds a payment that was checked; returns the challenge with it, or why that may not be. */
  bind(id: InvoiceId, payment: BoundPayment, raw: Uint8Array): Promise<PaymentFault | null> {
    const { challenges } = this.#parts.store;
    return this.#parts.store.run((batch) => {
      const row = challenges.get(id, batch);
      if (row === undefined) return "invalid_payment_requirements";
      if (row.payment !== null) return faultOfBound(row.payment, payment);
      if (this.#nowMs() >= row.expiresMs) return "invalid_exact_svc_challenge_over";
      const items = itemsOf(payment);
      const isTaken = (item: string): boolean => {
        const owner = challenges.ownerOf(item, batch);
        return owner !== undefined && owner !== id && this.#holds(challenges.get(owner, batch));
      };
      if (items.some(isTaken)) return "invalid_exact_svc_already_used";
      for (const item of items) challenges.bind(batch, item, id);
      challenges.putPayment(batch, row, raw);
      challenges.put(batch, { ...row, state: "bound", payment });
      return null;
    });
  }

  /** Writes down that a bound payment goes out, before it does. True where this call was the one that did. */
  beginSending(id: InvoiceId): Promise<boolean> {
    const { challenges } = this.#parts.store;
    return this.#parts.store.run((batch) => {
      const row = challenges.get(id, batch);
      if (row?.state !== "bound" || this.#nowMs() >= row.expiresMs) return false;
      challenges.put(batch, { ...row, state: "sending" });
      return true;
    });
  }

  /** A node has the payment: the invoice hears of it, and the session is opened, in one commit. */
  async settle(id: InvoiceId): Promise<void> {
    const { store } = this.#parts;
    await store.run((batch) => {
      const row = store.challenges.get(id, batch);
      if (row?.state !== "sending" || row.payment === null) return;
      const raw = store.challenges.payment(id, batch) ?? null;
      const settled: ChallengeRow = { ...row, state: "settled" };
      store.challenges.putPayment(batch, row, null);
      store.challenges.putPayment(batch, settled, raw);
      store.challenges.put(batch, settled);
      const invoice = this.#applyWaiting(batch, row.payment, id);
      if (invoice !== undefined) this.#openSession(batch, row, invoice);
    });
  }

  /** A node has the payment of a settled challenge again, after it was lost. */
  async settleAgain(id: InvoiceId): Promise<void> {
    const { store } = this.#parts;
    await store.run((batch) => {
      const row = store.challenges.get(id, batch);
      if (row?.state === "settled" && row.payment !== null) {
        this.#applyWaiting(batch, row.payment, id);
      }
    });
  }

  /** Forgets the payment of a settled challenge, which a block has, deep enough. */
  async forgetSettled(id: InvoiceId): Promise<void> {
    const { challenges } = this.#parts.store;
    await this.#parts.store.run((batch) => {
      const row = challenges.get(id, batch);
      if (row?.state === "settled") this.#forget(batch, row, row);
    });
  }

  /** The node will not have the payment: the challenge is over, and its notes are free for another one. */
  async refuse(id: InvoiceId): Promise<void> {
    const { challenges } = this.#parts.store;
    await this.#parts.store.run((batch) => {
      const row = challenges.get(id, batch);
      if (row?.state !== "sending" || row.payment === null) return;
      this.#refuse(batch, row);
    });
  }

  /** Notes who was told that a challenge is settled; false for whoever was told so before, and for each further one. */
  tell(id: InvoiceId, caller: Hash32 | null): Promise<boolean> {
    const { challenges } = this.#parts.store;
    return this.#parts.store.run((batch) => {
      const row = challenges.get(id, batch);
      if (row === undefined) return false;
      if (row.told !== null) return caller !== null && row.told === caller;
      challenges.put(batch, { ...row, told: caller ?? NO_CALLER });
      return true;
    });
  }

  /** Takes an amount from a session, and never more than is left. */
  spend(merchant: MerchantId, hash: Hash32, amount: bigint): Promise<Spending> {
    const { sessions } = this.#parts.store;
    return this.#parts.store.run((batch): Spending => {
      const row = sessions.get(batch, merchant, hash);
      if (row === undefined) {
        return { fault: "session_unknown", balance: NOTHING, expiresMs: asTimestampMs(0n) };
      }
      const { balance, expiresMs } = row;
      if (this.#nowMs() >= expiresMs) return { fault: "session_expired", balance, expiresMs };
      if (amount > balance) return { fault: "session_balance_too_low", balance, expiresMs };
      const left = asSompi(balance - amount);
      sessions.put(batch, { ...row, balance: left });
      return { fault: null, balance: left, expiresMs };
    });
  }

  /**
   * Forgets payments of challenges that ended without them, and those that were settled and stayed away for as long as they are doubted:
   * a challenge whose payment is lost then is refused, unless somebody was told otherwise. Resolves with how many there were.
   */
  async forgetEnded(limit: number): Promise<number> {
    const { challenges } = this.#parts.store;
    const ended = challenges.ended(this.#nowMs(), limit);
    if (ended.length === 0) return 0;
    return this.#parts.store.run((batch) => {
      const rows = ended.flatMap((id) => challenges.get(id, batch) ?? []);
      const over = rows.filter(({ state }) => state !== "sending");
      for (const row of over) {
        // Nobody was told that it is settled, and nobody has it any more.
        const isOver = row.state === "settled" && row.told === null;
        const payments = isOver ? paymentsOf(this.#parts.store, row, batch) : [];
        if (payments.some(isLost)) this.#refuse(batch, row);
        else this.#forget(batch, row, row);
      }
      return over.length;
    });
  }

  /** Puts challenges away that nobody paid, as `forgetUnpaid`. */
  forgetUnpaid(limit: number): Promise<number> {
    return forgetUnpaid({ store: this.#parts.store, nowMs: this.#nowMs() }, limit);
  }

  /** The challenge is over, and what was bound to it is free. */
  #refuse(batch: StoreBatch, row: ChallengeRow): void {
    const { challenges } = this.#parts.store;
    for (const item of row.payment === null ? [] : itemsOf(row.payment)) {
      if (challenges.ownerOf(item, batch) === row.id) challenges.release(batch, item);
    }
    this.#forget(batch, row, { ...row, state: "refused" });
  }

  /** Forgets a payment, and writes the challenge as it is then. */
  #forget(batch: StoreBatch, row: ChallengeRow, next: ChallengeRow): void {
    const { challenges } = this.#parts.store;
    challenges.putPayment(batch, row, null);
    challenges.put(batch, next);
  }

  /** The invoice hears that its payment is in a pool. */
  #applyWaiting(batch: StoreBatch, { outputs }: BoundPayment, id: InvoiceId): Invoice | undefined {
    const { store, desk } = this.#parts;
    const invoice = store.invoices.get(id, batch);
    if (invoice === undefined) return undefined;
    const facts = outputs.map((output) => ({ kind: "waiting", output }) as const);
    desk.apply(batch, invoice, facts);
    return invoice;
  }

  /** A session that is paid for again goes on with what was left, and ends no earlier. */
  #openSession(batch: StoreBatch, row: ChallengeRow, { terms }: Invoice): void {
    const { sessions } = this.#parts.store;
    const hash = row.payment?.sessionHash ?? null;
    if (row.sessionS === null || hash === null) return;
    const { merchant } = row;
    const known = sessions.get(batch, merchant, hash);
    const nowMs = this.#nowMs();
    const left = known !== undefined && nowMs < known.expiresMs ? known.balance : NOTHING;
    const endMs = asTimestampMs(nowMs + BigInt(row.sessionS) * 1_000n);
    const expiresMs = known !== undefined && known.expiresMs > endMs ? known.expiresMs : endMs;
    sessions.put(batch, { merchant, hash, balance: asSompi(left + terms.amount), expiresMs });
  }

  /** Whether a challenge keeps what is bound to it from all others. */
  #holds(row: ChallengeRow | undefined): boolean {
    if (row === undefined) return false;
    if (row.state === "bound") return this.#nowMs() < row.expiresMs;
    return row.state === "sending" || row.state === "settled";
  }

  #nowMs(): bigint {
    return this.#parts.clock.nowMs();
  }
}

/** The challenge as its merchant is told of it. */
function shown({ row, invoice }: FoundChallenge): Challenge {
  const { id, resource, depth, sessionS, createdMs, expiresMs } = row;
  const { amount, address } = invoice.terms;
  return { id, amount, payTo: address.text, resource, depth, sessionS, createdMs, expiresMs };
}

/** Why a payment is not the one that was bound at the same moment; null where it is, for the same session. */
function faultOfBound(bound: BoundPayment, payment: BoundPayment): PaymentFault | null {
  if (bound.txid !== payment.txid) return "invalid_exact_svc_already_used";
  return bound.sessionHash === payment.sessionHash ? null : "invalid_exact_svc_session";
}

/** What of a payment belongs to one challenge alone. */
function itemsOf({ txid, nullifiers }: BoundPayment): readonly string[] {
  return [txid, ...nullifiers];
}

/** A pool's word is enough up to the merchant's limit for that; a request may ask for more. */
function depthOf({ policy }: Merchant, { amount, depth }: ChallengeWish): number | null {
  if (depth !== null) return depth;
  return amount <= policy.poolLimit ? null : Number(policy.requiredBlueScore);
}

function orderOf(merchant: Merchant, { amount, expiresInS }: ChallengeWish, depth: number | null) {
  const { policy } = merchant;
  const requiredBlueScore = depth === null ? policy.requiredBlueScore : asBlueScore(BigInt(depth));
  return {
    orderId: CHALLENGE_ORDER,
    amountSompi: amount,
    expiresInS,
    policy: { ...policy, requiredBlueScore, toleranceUnder: NOTHING, toleranceOver: NOTHING },
    redirectUrl: null,
    language: null,
    metadata: {},
    quote: null,
  };
}
