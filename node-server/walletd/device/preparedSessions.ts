/**
 * Prepared sessions: payments of wallets whose seed a device holds. Prepare plans, reserves and proves; the device checks and signs;
 * submit finishes and broadcasts.
 *
 * A session is used once, for the wallet that it was made for, within ten minutes. Its payment lies in the outbox from the choice of
 * its notes on, so nobody else chooses them; what ends a session frees them. Nothing of a session outlives the program but a payment
 * that is signed, which is stored before it is broadcast and found again by the name of its session.
 */
import type { TxId } from "@svc/shared/base/brand.ts";
import { asSompi, asTxId } from "@svc/shared/base/brand.ts";
import { throwIfAborted, withAnySignal } from "@svc/shared/base/abort.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { makeProvePlan } from "@svc/shared/wallet/plan/makeProvePlan.ts";
import type { PlannedPayment } from "@svc/shared/wallet/plan/planner.ts";
import { planRetry } from "@svc/shared/wallet/plan/planRetry.ts";
import { advancePayment, paymentOf, reduceOutbox } from "@svc/shared/wallet/reduce/outbox.ts";
import { whyNotPaid } from "@svc/shared/wallet/reduce/paymentEnd.ts";
import { advancePaymentIn, broadcast } from "@svc/shared/wallet/send/broadcast.ts";
import { disclosedOutputs } from "@svc/shared/wallet/send/disclosedOutputs.ts";
import { reserved, tipToPayAt } from "@svc/shared/wallet/send/reservePayment.ts";
import { paymentAmount, type Payment } from "@svc/shared/wallet/state/payment.ts";
import type {
  ClockPort,
  NodePort,
  ProvedPayment,
  ProverPort,
} from "@svc/shared/wallet/state/ports.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { leavingSompi, type Payer, type SpendLimits } from "../spend/tokens/spendLimits.ts";
import { requireStanding, type ScopedAccess } from "../spend/tokens/tokenBook.ts";
import { requestHash } from "../store/idempotencyTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { OpenWallets } from "../wallets/openWallets.ts";
import { HeldSession, HeldSessions } from "./heldSessions.ts";
import { preparedAnswer } from "./preparedAnswer.ts";
import { prepareOrder, type PrepareOrder, type PrepareRequest } from "./prepareOrder.ts";

/** Dependencies of the sessions. */
export type PreparedSessionsParts = {
  readonly core: Pick<
    CoreGlue,
    | "addressAt"
    | "addressIndexOf"
    | "checkPrepared"
    | "decodeAddress"
    | "genesisHash"
    | "transactionId"
  >;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  readonly wallets: Pick<OpenWallets, "open" | "peek">;
  readonly store: Pick<WalletStore, "idempotency" | "payments" | "tokens">;
  /** The prover as one wallet uses it. */
  readonly proverFor: (token: WalletToken) => ProverPort;
  readonly node: Pick<NodePort, "submit">;
  readonly policy: WalletPolicy;
  readonly limits: Pick<SpendLimits, "check" | "charge">;
  readonly clock: Pick<Clock, "steadyMs"> & ClockPort;
  /** 16 random bytes as hex. */
  readonly newId: () => string;
};

/** What a device hands in. */
export type SubmitRequest = {
  readonly session: string;
  /** `sig` is hex of 64 bytes. */
  readonly sigs: readonly { readonly index: number; readonly sig: string }[];
  /** The caller's idempotency key, or null. */
  readonly key: string | null;
  /** The scoped token of the caller; null or left out for the owner. */
  readonly by?: ScopedAccess | null;
};

/** What was paid. */
export type Submitted = Pick<Payment, "fee"> & { readonly txid: TxId; readonly amount: bigint };

/** What a prepare answers. */
export type PreparedBody = RouteAnswer<"prepare">;

/** What the ids of these payments begin with, and of nothing else. */
const PREPARED = "prepared:";
const SUBMIT = "submit";

type Reserved = {
  readonly id: string;
  readonly order: PrepareOrder;
  readonly planned: PlannedPayment;
  readonly plan: ProvePlan;
};

/** Prepares payments and takes their signatures. */
export class PreparedSessions {
  readonly #parts: PreparedSessionsParts;
  readonly #held = new HeldSessions();
  readonly #network: string;
  readonly #profile: { readonly hrp: string };
  /** When each wallet's prepare that is at work was begun, by the steady clock. */
  readonly #preparing = new Map<WalletToken, bigint>();
  /** Ids of payments that are being proved or wait for signatures. */
  readonly #live = new Set<string>();
  readonly #ending = new Set<Promise<void>>();
  #isStopped = false;

  constructor(parts: PreparedSessionsParts) {
    this.#parts = parts;
    this.#profile = JSON.parse(parts.profileJson);
    this.#network = callCore(() => parts.core.genesisHash(parts.profileJson));
  }

  /** Payments that wait for signatures. */
  get waiting(): number {
    return this.#held.all.length;
  }

  /**
   * Prepares a payment. The request is checked before anything waits, by the limits of the caller's scoped token too. Rejects with
   * what `OpenWallets.open`, `check`, `tipToPayAt` and the planner throw, `wallet/preparing` while another one of the wallet is at
   * work, `queue/full`, `wallet/prove-queue`, `prove/*`, `node/stopping`, `run/aborted`; then no notes are held.
   */
  async prepare(
    token: WalletToken,
    request: PrepareRequest,
    signal: AbortSignal,
  ): Promise<PreparedBody> {
    const { wallets, clock } = this.#parts;
    const open = await wallets.open(token);
    this.#checkRunning();
    const order = this.check(open, request);
    const sinceMs = this.#preparing.get(token);
    if (sinceMs !== undefined) {
      const seconds = (clock.steadyMs() - sinceMs) / 1_000n;
      throw new SvcError("wallet/preparing", { seconds });
    }
    this.#held.checkRoom();
    this.#preparing.set(token, clock.steadyMs());
    // Its notes are reserved when its turn has come: it must not be dropped before.
    const leave = open.use();
    try {
      return await this.#make(open, order, signal);
    } finally {
      leave();
      this.#preparing.delete(token);
    }
  }

  /** Checks a request by itself. Throws what `prepareOrder` and `SpendLimits.check` throw. */
  check(open: OpenWallet, request: PrepareRequest): PrepareOrder {
    const { core, limits } = this.#parts;
    const order = prepareOrder({ core, hrp: this.#profile.hrp }, open.keys.fvk, request);
    const { payee, feeFloor } = order;
    const sompi = asSompi(leavingSompi([payee]) + feeFloor);
    limits.check({ scoped: request.by ?? null }, { payees: [payee], sompi });
    return order;
  }

  /**
   * Takes the signatures of a session and broadcasts the payment. What is wrong with them is said before anything is used up, and
   * the session stays. Resolves when the payment is stored: a node that is away gets it later. A repetition resolves with the same,
   * in a later run of the program, too. What leaves the wallet is charged to the caller's scoped token. Rejects with
   * `wallet/no-session`, `wallet/wrong-signatures`, `wallet/bad-signature`, `wallet/key-reused`, `wallet/payee-not-allowed`,
   * `wallet/day-limit`, `api/unknown-token`, what `whyNotPaid` says, `store/*`.
   */
  async submit(
    token: WalletToken,
    request: SubmitRequest,
    signal: AbortSignal,
  ): Promise<Submitted> {
    this.#checkKey(token, request);
    const held = this.#held.get(token, request.session);
    if (held === null) return this.#again(token, request.session, signal);
    return held.turn.run(async () => {
      if (!this.#isHeld(held)) return this.#again(token, request.session, signal);
      await this.#sign(held, request);
      return this.#broadcast(held.open, held.paymentId, signal);
    });
  }

  /** What was answered for a session that waits for signatures; null for any other. */
  answerOf(token: WalletToken, session: string): RouteAnswer<"prepare"> | null {
    return this.#held.get(token, session)?.answer ?? null;
  }

  /** Gives up a session of a wallet, or all of them, and frees their notes. Resolves with how many there were. */
  async discard(token: WalletToken, session: string | null): Promise<number> {
    await this.#parts.wallets.open(token);
    const all = this.#held.ofWallet(token);
    const some = all.filter((held) => session === null || held.session === session);
    await Promise.all(some.map((held) => this.#end(held)));
    return some.length;
  }

  /** Gives up all sessions. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#held.all.map((held) => this.#end(held)));
    await Promise.all(this.#ending);
  }

  async #make(open: OpenWallet, order: PrepareOrder, signal: AbortSignal): Promise<PreparedBody> {
    const id = `${PREPARED}${this.#parts.newId()}`;
    this.#live.add(id);
    let proved: ProvedPayment | null = null;
    try {
      const made = await open.spending.run(async () => {
        throwIfAborted(signal);
        return this.#reserve(open, id, order);
      });
      await advancePaymentIn(open, id, { type: "prove" });
      throwIfAborted(signal);
      proved = await this.#prove(open.token, made.plan, signal);
      throwIfAborted(signal);
      this.#checkRunning();
      return this.#hold(open, made, proved);
    } catch (thrown) {
      proved?.drop?.();
      await this.#free(open, id);
      throw thrown;
    } finally {
      this.#live.delete(id);
    }
  }

  /** Chooses the notes and makes the prover's plan in one change. */
  #reserve(open: OpenWallet, id: string, order: PrepareOrder): Reserved {
    const { policy, clock } = this.#parts;
    let made: Reserved | null = null;
    open.updateWith((_, before) => {
      const { daaScore } = tipToPayAt(open);
      const state = this.#withoutDead(before);
      const planned = planFirst(state, policy, order);
      const plan = makeProvePlan(planned, {
        profile: this.#profile,
        fvk: encodeHex(open.keys.fvk),
        daaScore,
        tree: open.tree,
        recoverable: open.facts.recoverableHistory,
      });
      made = { id, order, planned, plan };
      return reserved(state, { id, nowMs: clock.nowMs(), planned, root: plan.anchor });
    });
    if (made === null) throw new TypeError("an update runs its change");
    return made;
  }

  /** What a former run of the program prepared and nobody signed holds no notes, and is forgotten. */
  #withoutDead(state: WalletState): WalletState {
    const isDead = ({ id, txid }: Payment): boolean =>
      txid === null && id.startsWith(PREPARED) && !this.#live.has(id);
    if (!state.outbox.some(isDead)) return state;
    return { ...state, outbox: state.outbox.filter((payment) => !isDead(payment)) };
  }

  /** Proves; a prover that does not begin in time is not waited for. */
  async #prove(token: WalletToken, plan: ProvePlan, signal: AbortSignal): Promise<ProvedPayment> {
    const { clock, proverFor } = this.#parts;
    const begun = new AbortController();
    const late = new AbortController();
    const waited = clock.sleep(WALLETD_LIMITS.prepareQueueMs, begun.signal);
    waited.then(
      () => late.abort(),
      () => undefined,
    );
    try {
      return await withAnySignal([signal, late.signal], (either) =>
        proverFor(token).prove(plan, () => begun.abort(), either),
      );
    } catch (error) {
      if (!late.signal.aborted || signal.aborted) throw error;
      throw new SvcError("wallet/prove-queue", { seconds: WALLETD_LIMITS.prepareQueueMs / 1_000 });
    } finally {
      begun.abort();
    }
  }

  /** From here on the payment is named after its session, and waits for the device. */
  #hold(open: OpenWallet, made: Reserved, proved: ProvedPayment): PreparedBody {
    const { core, clock } = this.#parts;
    const { id, order, planned, plan } = made;
    const parts = { core, network: this.#network };
    const amount = paymentAmount(planned);
    const { body, indices } = preparedAnswer(parts, open.keys.fvk, { order, amount, plan, proved });
    const { session } = body;
    const paymentId = `${PREPARED}${session}`;
    open.updateWith((_, state) => {
      const signing = advancePayment(paymentOf(state, id), { type: "sign" });
      const named = { ...signing, id: paymentId };
      const outbox = state.outbox.map((payment) => (payment.id === id ? named : payment));
      return { ...state, outbox };
    });
    this.#live.add(paymentId);
    const endsMs = clock.steadyMs() + BigInt(WALLETD_LIMITS.preparedMs);
    const held = new HeldSession({
      session,
      open,
      paymentId,
      proved,
      answer: body,
      indices,
      endsMs,
    });
    for (const older of this.#held.add(held)) void this.#end(older);
    clock.sleep(WALLETD_LIMITS.preparedMs, held.over.signal).then(
      () => void this.#end(held),
      () => undefined,
    );
    return body;
  }

  /** Whether the session may still be signed: it is held, not too old, and its wallet is the one under the token. */
  #isHeld(held: HeldSession): boolean {
    const { clock, wallets } = this.#parts;
    if (this.#held.get(held.token, held.session) !== held) return false;
    if (clock.steadyMs() < held.endsMs && wallets.peek(held.token) === held.open) return true;
    void this.#end(held);
    return false;
  }

  /** Makes the signed bytes and stores them; then the session is over. */
  async #sign(held: HeldSession, request: SubmitRequest): Promise<void> {
    const { core, store, clock } = this.#parts;
    const { session, sigs, key, by = null } = request;
    const { open, paymentId } = held;
    checkIndices(held, sigs);
    const stopped = whyNotPaid(paymentOf(open.state, paymentId));
    if (stopped !== null) {
      void this.#end(held);
      throw stopped;
    }
    held.raw ??= await this.#finalize(held, sigs);
    const { raw, proved } = held;
    const txid = asTxId(callCore(() => core.transactionId(raw)));
    const { payees, fee } = paymentOf(open.state, paymentId);
    const outputs = disclosedOutputs(proved, payees);
    open.updateWith((batch, state) => {
      if (key !== null)
        claimKey(store, batch, {
          use: { token: held.token, key },
          session,
          paymentId,
          nowMs: clock.nowMs(),
        });
      this.#charge(batch, { token: held.token, scoped: by }, { id: paymentId, payees, fee });
      const signed = { type: "signed", txid, raw: encodeHex(raw), outputs } as const;
      return reduceOutbox(state, paymentId, signed);
    });
    this.#held.delete(held);
    this.#live.delete(paymentId);
  }

  /** Whoever submits pays: it may be another token than the one that prepared. */
  #charge(
    batch: StoreBatch,
    payer: Payer,
    { id, payees, fee }: Pick<Payment, "id" | "payees" | "fee">,
  ): void {
    const { limits, store } = this.#parts;
    requireStanding(store, batch, payer.scoped);
    const sompi = asSompi(leavingSompi(payees) + fee);
    limits.check(payer, { payees, sompi });
    limits.charge(batch, payer, id, sompi);
  }

  async #finalize(held: HeldSession, sigs: SubmitRequest["sigs"]): Promise<Uint8Array> {
    try {
      return await held.proved.finalize(JSON.stringify(sigs));
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (error.code === "shielded/spend-signature-invalid") {
        throw new SvcError("wallet/bad-signature", { index: error.data["action"] ?? "" }, error);
      }
      // The prover was replaced, and the proof is gone with it.
      void this.#end(held);
      throw new SvcError("wallet/no-session", {}, error);
    }
  }

  /** The payment of a session that is no longer held, if it was signed. */
  async #again(token: WalletToken, session: string, signal: AbortSignal): Promise<Submitted> {
    const { wallets, store } = this.#parts;
    const open = await wallets.open(token);
    const id = `${PREPARED}${session}`;
    const inBox = open.wallet.isBegun
      ? open.state.outbox.find((payment) => payment.id === id)
      : undefined;
    if (inBox?.status.state === "signed") return this.#broadcast(open, id, signal);
    const payment = inBox ?? store.payments.get(token, id);
    if (payment === undefined) throw new SvcError("wallet/no-session", {});
    // While a wallet is scanned again its settled payments look too old.
    if (payment.status.state === "expired") tipToPayAt(open);
    return resultOf(payment);
  }

  async #broadcast(open: OpenWallet, id: string, signal: AbortSignal): Promise<Submitted> {
    const { node, clock } = this.#parts;
    return resultOf(await broadcast({ sync: open, node, clock }, id, signal));
  }

  /** A key that was used for another call is refused before anything is looked at. */
  #checkKey(token: WalletToken, { key, session }: SubmitRequest): void {
    if (key === null) return;
    const row = this.#parts.store.idempotency.get({ token, key });
    if (row === undefined || row.bodyHash === hashOf(session)) return;
    throw new SvcError("wallet/key-reused", {});
  }

  #checkRunning(): void {
    if (this.#isStopped) throw new SvcError("node/stopping", {});
  }

  /** Gives a session up after what is being done with it, and frees its notes unless it is signed by then. */
  #end(held: HeldSession): Promise<void> {
    this.#held.delete(held);
    const ended: Promise<void> = held.turn
      .run(async () => {
        held.proved.drop?.();
        await this.#free(held.open, held.paymentId);
        this.#live.delete(held.paymentId);
      })
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
    return ended;
  }

  /** Forgets a payment that nobody signed. It holds where it cannot be stored, too: a start finds it and frees its notes. */
  async #free(open: OpenWallet, id: string): Promise<void> {
    if (this.#parts.wallets.peek(open.token) !== open || !open.wallet.isBegun) return;
    const isGone = (payment: Payment): boolean => payment.id === id && payment.txid === null;
    if (!open.state.outbox.some(isGone)) return;
    await open
      .hold((state) => ({ ...state, outbox: state.outbox.filter((one) => !isGone(one)) }))
      .catch(() => undefined);
  }
}

/**
 * Equal payments are told apart by their sessions. One that seems to have failed may still go through: a second try shares a note
 * with it (decision 24).
 */
function planFirst(
  state: WalletState,
  policy: WalletPolicy,
  { payee, feeFloor, mode }: PrepareOrder,
): PlannedPayment {
  const [planned] = planRetry(state, policy, { payees: [payee], feeFloor, mode });
  if (planned === undefined) throw new TypeError("a plan has a transaction");
  return planned;
}

function checkIndices({ indices }: HeldSession, sigs: SubmitRequest["sigs"]): void {
  const list = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b).join(", ");
  const [expected, found] = [list(indices), list(sigs.map(({ index }) => index))];
  if (expected !== found) throw new SvcError("wallet/wrong-signatures", { expected, found });
}

/** The same session is the same call, whatever its signatures: each signing of the same payment gives other ones. */
function hashOf(session: string) {
  return requestHash(SUBMIT, new TextEncoder().encode(session));
}

type KeyClaim = {
  readonly use: { readonly token: string; readonly key: string };
  readonly session: string;
  readonly paymentId: string;
  readonly nowMs: Payment["createdMs"];
};

/** Names the payment by the caller's key, in the commit that makes it one. */
function claimKey(
  { idempotency }: Pick<WalletStore, "idempotency">,
  batch: StoreBatch,
  { use, session, paymentId, nowMs }: KeyClaim,
): void {
  const claim = idempotency.claim(batch, use, hashOf(session), nowMs);
  if (claim.kind === "other") throw new SvcError("wallet/key-reused", {});
  idempotency.name(batch, use, { paymentIds: [paymentId] });
}

function resultOf(payment: Payment): Submitted {
  const reason = whyNotPaid(payment);
  if (reason !== null) throw reason;
  const { txid, fee } = payment;
  if (txid === null) throw new SvcError("wallet/no-session", {});
  return { txid, fee, amount: paymentAmount(payment) };
}
