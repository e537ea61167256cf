/**
 * Both ways over the air gap for a program that has the viewing key alone: the daemon's answer to prepare as codes for a device without
 * a network, and that device's codes as the body of submit (specification airgap).
 */
import { SvcError } from "../base/svcError.ts";
import { encodePreparedPayment } from "./airgap/preparedPaymentCbor.ts";
import { decodeSignedPayment } from "./airgap/signedPaymentCbor.ts";
import { UrDecoder } from "./airgap/urDecoder.ts";
import { UrEncoder } from "./airgap/urEncoder.ts";
import { UR_TYPES } from "./airgap/urFrame.ts";
import type { PartInDoubt } from "./outcomeUnknown.ts";
import { readPrepareAnswer, type PrepareQuestion } from "./prepareAnswer.ts";
import { checkAnswers } from "./preparedSession.ts";
import type { SubmitBody } from "./walletDaemon.ts";

/** A payment to show, and what its signatures must name. */
export type AirgapCodes = {
  /** What is paid, for `submitSignatures`; its session is for `AirgapSignatures`. */
  readonly part: PartInDoubt;
  /** How many codes suffice where none is missed; more may be asked for without an end. */
  readonly count: number;
  /** The text of code `number`, from 1 on. In capitals it takes less room as a QR code and means the same. */
  readonly code: (number: number) => string;
};

/**
 * The codes of what a daemon answered to `POST /api/wallet/prepare`. The answer is compared with the question; whether it does what was
 * asked for is judged by the device. Throws what `readPrepareAnswer` throws, `signer/remaining` for an answer that pays a part only,
 * `airgap/*` for one that no device would take.
 */
export function airgapCodes(answer: string, question: PrepareQuestion): AirgapCodes {
  const { prepared, remaining } = readPrepareAnswer(answer, question);
  if (remaining > 0n) throw new SvcError("signer/remaining", { remaining });
  const frames = new UrEncoder(UR_TYPES.payment, encodePreparedPayment(prepared));
  const code = (number: number) => frames.frame(number);
  const { session, fee } = prepared;
  return { part: { session, amount: question.payment.value, fee }, count: frames.count, code };
}

/** Reads the codes that a device shows after it signed. */
export class AirgapSignatures {
  readonly #session: string;
  readonly #decoder = new UrDecoder(UR_TYPES.signatures);

  /** For the signatures of this session alone. */
  constructor(session: string) {
    this.#session = session;
  }

  /** How much of the answer is known, 0 to 1. */
  get share(): number {
    return this.#decoder.share;
  }

  /**
   * Takes the text of a code, in any order and more than once. Gives the body of `POST /api/wallet/submit` when all of it is known, else
   * null. Throws `airgap/*` for what is no such code, `signer/wrong-session` for signatures of another payment; both may be
   * followed by further codes.
   */
  receive(text: string): SubmitBody | null {
    this.#decoder.receive(text);
    const { result } = this.#decoder;
    if (result === null) return null;
    const { session, signatures } = this.#decode(result);
    return { session, sigs: signatures };
  }

  #decode(message: Uint8Array) {
    try {
      const signed = decodeSignedPayment(message);
      checkAnswers(signed, this.#session);
      return signed;
    } catch (error) {
      this.#decoder.reset();
      throw error;
    }
  }
}
