/**
 * Hands the signatures of a session in until an answer says what became of the payment. A daemon sends a session once and answers a
 * repetition as it answered the first call, so a lost answer is asked for again and nothing is paid twice.
 */
import * as v from "valibot";
import type { TxId } from "../base/brand.ts";
import { httpErrorOf } from "../base/errors.ts";
import { fields } from "../base/fields.ts";
import type { Code } from "../base/generated/codes.ts";
import { SvcError } from "../base/svcError.ts";
import { outcomeUnknown, type PartInDoubt } from "./outcomeUnknown.ts";
import { SIGNER_LIMITS } from "./signerLimits.ts";
import type { SubmitBody, WalletDaemon } from "./walletDaemon.ts";
import { readAnswer } from "./wire/readAnswer.ts";

const submitted = v.looseObject({ txid: fields.txId });

/**
 * Refusals that are an end already of a first call: the session was not taken, or it is told what became of its payment. A daemon
 * may refuse with any other code when the payment is signed and stored.
 */
const ENDS: ReadonlySet<string> = new Set<Code>([
  "tx/anchor-too-old",
  "tx/nullifier-spent",
  "wallet/approval-full",
  "wallet/approval-needed",
  "wallet/bad-signature",
  "wallet/day-limit",
  "wallet/key-reused",
  "wallet/no-session",
  "wallet/payee-not-allowed",
  "wallet/payment-rejected",
  "wallet/scope",
  "wallet/wrong-signatures",
]);
/** Areas whose refusals of the caller come before the session is looked at. */
const BEFORE_SESSION = /^(api|http)\//;
/** Statuses that refuse a call for now: request timeout, conflict, too early. */
const FOR_NOW: ReadonlySet<number> = new Set([408, 409, 425]);
/**
 * Those of them that are an end of a later call too: no earlier one was taken, or the payment was refused. Others may be about
 * notes that an earlier call has spent.
 */
const ENDS_LATER = [
  "wallet/bad-signature",
  "wallet/key-reused",
  "wallet/no-session",
  "wallet/payment-rejected",
  "wallet/wrong-signatures",
] as const;

/** What is handed in, and what the payment comes to. */
export type Submission = { readonly body: SubmitBody; readonly part: PartInDoubt };

/**
 * Resolves with the payment's id. Rejects with the daemon's refusal where that tells what became of the payment, and with
 * `OutcomeUnknown` where none of `SIGNER_LIMITS.submitTriesMax` calls was answered like that, or the signal ended the first one.
 */
export async function submitSignatures(
  daemon: Pick<WalletDaemon, "submit" | "pause">,
  { body, part }: Submission,
  signal: AbortSignal,
): Promise<TxId> {
  let last: unknown = null;
  let pauseMs: number = SIGNER_LIMITS.submitPauseMs;
  for (let tries = 1; tries <= SIGNER_LIMITS.submitTriesMax; tries += 1) {
    try {
      if (tries > 1) {
        await daemon.pause(pauseMs, signal);
        pauseMs *= 2;
      }
      const text = await daemon.submit(body, signal);
      return readAnswer(submitted, text, "it names no payment").txid;
    } catch (error) {
      const isEnd = tries === 1 ? endsFirst(error) : SvcError.is(error, ...ENDS_LATER);
      if (isEnd) throw error;
      last = error;
    }
    if (signal.aborted) break;
  }
  throw outcomeUnknown(part, body, last);
}

/** Whether a first call that fails like this leaves nothing open. What is no `SvcError` of the daemon says nothing. */
function endsFirst(thrown: unknown): boolean {
  const error = SvcError.from(thrown);
  if (ENDS.has(error.code)) return true;
  if (!BEFORE_SESSION.test(error.code)) return false;
  const status =
    error.code === "api/refused" ? Number(error.data["status"]) : httpErrorOf(error).status;
  return status >= 400 && status < 500 && !FOR_NOW.has(status);
}
