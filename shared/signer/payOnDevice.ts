/**
 * Payment on a device: a daemon prepares and proves, the device checks and signs, the daemon broadcasts. In one transaction, or in
 * parts where the owner allows that.
 */
import { throwIfAborted } from "../base/abort.ts";
import { asSompi, type DaaScore, type RawAddress, type Sompi } from "../base/brand.ts";
import { encodeHex } from "../base/hex.ts";
import { SvcError } from "../base/svcError.ts";
import { WALLET_LIMITS } from "../wallet/walletLimits.ts";
import { checkReady } from "./checkReady.ts";
import { partlyPaid, type PaidPart } from "./partlyPaid.ts";
import { maxFeeOf } from "./paymentSize.ts";
import type { PaymentIntent } from "./paymentIntent.ts";
import { readPrepareAnswer } from "./prepareAnswer.ts";
import type { PlannedOutput, PreparedPayment, SignatureList } from "./preparedPayment.ts";
import { SIGNER_LIMITS } from "./signerLimits.ts";
import { submitSignatures } from "./submitSignatures.ts";
import type { WalletDaemon } from "./walletDaemon.ts";

/** What the owner wants to pay. */
export type PayRequest = {
  /** Address of the payee. */
  readonly to: string;
  /** 0 for an announcement, made for its memo. */
  readonly amount: Sompi;
  /** Text, at most 512 bytes of UTF-8. In parts, the first one carries it. */
  readonly memo: string;
  /** The least fee of a transaction; null leaves it to the daemon. */
  readonly fee: Sompi | null;
  /** The greatest fee of a transaction; null for twice the wallet's fee, or for `fee` where that is more. */
  readonly maxFee: Sompi | null;
  /** Whether more transactions than one may be made: the payee may then be paid in part only. */
  readonly allowChunking: boolean;
  /** As in `PaymentIntent`: whether the owner set `recoverable_history` of the wallet. Left out, the sender's copies are not judged. */
  readonly recoverable?: boolean;
  /** DAA score of the network now, as far as the device knows. */
  readonly daaScore: DaaScore;
};

/** Where a payment stands. */
export type PayStage = {
  readonly stage: "proving" | "signing" | "broadcasting";
  /** The transaction that is worked on, from 1. */
  readonly part: number;
  /** How many there will be, as far as the first one shows. */
  readonly parts: number;
  readonly paid: Sompi;
  readonly asked: Sompi;
};

/** What was paid. */
export type PayOutcome = {
  readonly parts: readonly PaidPart[];
  readonly amount: Sompi;
  readonly fee: Sompi;
};

/** What signs: a `DeviceSigner`. */
export interface PayingSigner {
  readonly account: { readonly fvk: string };
  readonly network: string;
  recipientOf(address: string): RawAddress;
  sign(intent: PaymentIntent, prepared: PreparedPayment): SignatureList;
}

/** Who takes part in a payment. */
export type PayParts = {
  readonly signer: PayingSigner;
  readonly daemon: WalletDaemon;
  readonly onStage: (stage: PayStage) => void;
};

/**
 * Pays, while the daemon says `spend_ready`. Throws `signer/*`, `address/*`, `wallet/memo-too-long`, `run/aborted` and what the
 * daemon's client throws while nothing was broadcast; `OutcomeUnknown` where the first transaction's signatures were handed in and no
 * answer came that tells what became of it, also because the signal ended the wait; `PartlyPaid` after the first transaction of several, which names a later one
 * in doubt. Who catches `OutcomeUnknown` does not pay again. A `TypeError` for a daemon's client without `pause`.
 */
export async function payOnDevice(
  { signer, daemon, onStage }: PayParts,
  request: PayRequest,
  signal: AbortSignal,
): Promise<PayOutcome> {
  checkClient(daemon);
  const recipient = signer.recipientOf(request.to);
  checkMemo(request.memo);
  const done: PaidPart[] = [];
  let owed: bigint = request.amount;
  try {
    do {
      throwIfAborted(signal);
      checkParts(done);
      const memo = done.length === 0 ? request.memo : "";
      const payment = { recipient, value: asSompi(owed), memo: encodeHex(utf8(memo)) };
      const report = (stage: PayStage["stage"], first: bigint) => {
        const paid = asSompi(request.amount - owed);
        const parts = estimate(request.amount, done[0]?.amount ?? first);
        onStage({ stage, part: done.length + 1, parts, paid, asked: request.amount });
      };
      const turn = { signer, daemon, request, report };
      const part = await payPart(turn, { payment, memo }, signal);
      done.push(part);
      owed -= part.amount;
    } while (owed > 0n);
  } catch (error) {
    if (done.length === 0) throw error;
    throw partlyPaid(done, request.amount, error);
  }
  const fee = done.reduce((sum, part) => sum + part.fee, 0n);
  return { parts: done, amount: request.amount, fee: asSompi(fee) };
}

type Turn = Omit<PayParts, "onStage"> & {
  readonly request: PayRequest;
  /** Tells a stage; the amount is that of this part, as far as it is known. */
  readonly report: (stage: PayStage["stage"], amount: bigint) => void;
};

/** Makes one transaction towards a payment. */
async function payPart(
  { signer, daemon, request, report }: Turn,
  { payment, memo }: { readonly payment: PlannedOutput; readonly memo: string },
  signal: AbortSignal,
): Promise<PaidPart> {
  await checkReady(daemon, signal);
  report("proving", payment.value);
  const body = {
    fvk_hex: signer.account.fvk,
    to: request.to,
    amount_sompi: String(payment.value),
    ...(request.fee === null ? {} : { fee: String(request.fee) }),
    ...(memo === "" ? {} : { memo }),
    allow_partial: request.allowChunking,
  };
  const text = await daemon.prepare(body, signal);
  const { network } = signer;
  const question = { network, daaScore: request.daaScore, to: request.to, payment };
  const { prepared, claimedSighash, remaining } = readPrepareAnswer(text, question);
  const amount = asSompi(payment.value - remaining);
  if (remaining > 0n && !(request.allowChunking && amount > 0n)) {
    throw new SvcError("signer/remaining", { remaining });
  }
  throwIfAborted(signal);
  report("signing", amount);
  const payments = [{ ...payment, value: amount }];
  const { recoverable } = request;
  const told = recoverable === undefined ? {} : { recoverable };
  const intent = { payments, maxFee: maxFee(request, prepared), ...told, claimedSighash };
  const { session, signatures } = signer.sign(intent, prepared);
  report("broadcasting", amount);
  throwIfAborted(signal);
  const { fee } = prepared;
  const part = { session, amount, fee };
  const handedIn = { body: { session, sigs: signatures }, part };
  const txid = await submitSignatures(daemon, handedIn, signal);
  return { txid, amount, fee };
}

function maxFee(request: PayRequest, prepared: PreparedPayment): Sompi {
  if (request.maxFee !== null) return request.maxFee;
  const usual = maxFeeOf(prepared.alphas.length, prepared.payments.length);
  return request.fee !== null && request.fee > usual ? request.fee : usual;
}

function estimate(asked: bigint, first: bigint): number {
  return first === 0n ? 1 : Number((asked + first - 1n) / first);
}

function checkParts(done: readonly PaidPart[]): void {
  const max = SIGNER_LIMITS.paymentPartsMax;
  if (done.length >= max) throw new SvcError("signer/too-many-parts", { max });
}

/** Programs of before hand in a client that cannot wait; a lost answer could not be asked for again then. */
function checkClient({ pause }: Partial<Pick<WalletDaemon, "pause">>): void {
  if (pause === undefined) throw new TypeError("the client of the daemon has no `pause`");
}

function checkMemo(memo: string): void {
  const { length } = utf8(memo);
  const max = WALLET_LIMITS.memoBytes;
  if (length > max) throw new SvcError("wallet/memo-too-long", { length, max });
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
