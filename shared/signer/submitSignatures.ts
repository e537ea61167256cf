/**
 * Hands the signatures of a session in until an answer says what became of the payment. A daemon sends a session once and answers a
 * repetition as it answered the first call, so a lost answer is asked for again and nothing is paid twice.
 */
import * as v from "valibot";
import type { TxId } from "../base/brand.ts";
import { fields } from "../base/fields.ts";
import { SvcError } from "../base/svcError.ts";
import { parseExactJson } from "./wire/exactJson.ts";
import { outcomeUnknown, type PartInDoubt } from "./outcomeUnknown.ts";
import { readPrepared } from "./wire/preparedFields.ts";
import { SIGNER_LIMITS } from "./signerLimits.ts";
import type { SubmitBody, WalletDaemon } from "./walletDaemon.ts";

const submitted = v.looseObject({ txid: fields.txId });

/** Codes of a call that was not answered, or not by the daemon. */
const NO_ANSWER: ReadonlySet<string> = new Set([
  "api/bad-answer",
  "api/unreachable",
  "node/stopping",
]);
/** Areas of what goes wrong on the way or inside a program, whatever became of the payment. */
const NO_VERDICT = /^(internal|queue|run|store)\//;
/** A later call is refused with these where no earlier one was taken. */
const NEVER_TAKEN = [
  "wallet/bad-signature",
  "wallet/no-session",
  "wallet/wrong-signatures",
] as const;

/** What is handed in, and what the payment comes to. */
export type Submission = { readonly body: SubmitBody; readonly part: PartInDoubt };

/**
 * Resolves with the payment's id. Rejects with the daemon's refusal where it took nothing, and with `OutcomeUnknown` where
 * `SIGNER_LIMITS.submitTriesMax` calls brought no answer, or the signal ended the first one.
 */
export async function submitSignatures(
  daemon: WalletDaemon,
  { body, part }: Submission,
  signal: AbortSignal,
): Promise<TxId> {
  let last: unknown = null;
  for (let tries = 1; tries <= SIGNER_LIMITS.submitTriesMax; tries += 1) {
    try {
      if (tries > 1) await daemon.pause?.(tries, signal);
      const text = await daemon.submit(body, signal);
      return readTxId(text);
    } catch (error) {
      const isFirst = last === null;
      if (isFirst ? !isLost(error) : SvcError.is(error, ...NEVER_TAKEN)) throw error;
      last = error;
    }
    if (signal.aborted) break;
  }
  throw outcomeUnknown(part, body, last);
}

function readTxId(text: string): TxId {
  try {
    return readPrepared(submitted, parseExactJson(text)).txid;
  } catch (error) {
    // A page of something in between with a status of success.
    throw new SvcError("api/bad-answer", { status: 200, reason: "it names no payment" }, error);
  }
}

/** Whether a call may have been taken all the same. What is no `SvcError` of the daemon says nothing. */
function isLost(error: unknown): boolean {
  const { code, data } = SvcError.from(error);
  if (code === "api/refused") return Number(data["status"]) >= 500;
  return NO_ANSWER.has(code) || NO_VERDICT.test(code);
}
