/** A device of the cases that pays over a model of a daemon: what it asks, and the answers that it gets. */
import { expect } from "vitest";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { DeviceSigner } from "@svc/shared/signer/deviceSigner.ts";
import type { PayRequest } from "@svc/shared/signer/payOnDevice.ts";
import type { PrepareQuestion } from "@svc/shared/signer/prepareAnswer.ts";
import { answerOf, DaemonModel, type Answer } from "./daemonModel.ts";
import {
  caseSigner,
  core,
  HONEST,
  intentOf,
  preparedOf,
  profileJson,
  REFUSED,
  type SignerCase,
} from "./signerCases.ts";

/** The scene. */
export type PayScene = {
  readonly signer: DeviceSigner;
  /** Address of the payee. */
  readonly to: string;
  /** That of the honest payment. */
  readonly sighash: string;
  /** What was asked of the daemon for the honest payment. */
  readonly question: PrepareQuestion;
  /** The honest question. */
  readonly request: PayRequest;
  /** The answer to the honest question with the payment of a case. */
  readonly answered: (entry: SignerCase) => Answer;
  /** The same, changed. */
  readonly changed: (spoil: (answer: Answer) => void, entry?: SignerCase) => Answer;
  /** The answer to a question without a memo, which leaves so many sompi unpaid. */
  readonly silentPart: (remaining: bigint) => Answer;
  /**
   * What becomes of the honest question, or of a changed one, over a daemon with this answer. Nothing may be submitted when it is
   * refused.
   */
  readonly outcome: (answer: Answer, changes?: Partial<PayRequest>) => Promise<string>;
};

/** Opens the scene. */
export function payScene(): PayScene {
  const signer = caseSigner();
  const payee = intentOf(HONEST).payments[0];
  if (payee === undefined) throw new Error("the case pays nobody");
  const { hrp } = JSON.parse(profileJson);
  const to = core.encodeAddress(hrp, decodeHex(payee.recipient));
  const { sighash } = signer.verifyPrepared(intentOf(HONEST), preparedOf(HONEST));
  const answered = (entry: SignerCase) =>
    answerOf(preparedOf(entry), { to, sighash: entry.intent.sighash ?? sighash, remaining: 0n });
  const request: PayRequest = {
    to,
    amount: payee.value,
    memo: "order 7",
    fee: null,
    maxFee: HONEST.intent.maxFee,
    allowChunking: false,
    daaScore: asDaaScore(50n),
  };
  const silent = silentCase();
  const silentHash = signer.verifyPrepared(intentOf(silent), preparedOf(silent)).sighash;
  const question: PrepareQuestion = {
    network: preparedOf(HONEST).network,
    daaScore: request.daaScore,
    to,
    payment: payee,
  };
  return {
    signer,
    to,
    sighash,
    question,
    request,
    answered,
    changed: (spoil, entry = HONEST) => {
      const answer = answered(entry);
      spoil(answer);
      return answer;
    },
    silentPart: (remaining) => answerOf(preparedOf(silent), { to, sighash: silentHash, remaining }),
    outcome: async (answer, changes = {}) => {
      const daemon = new DaemonModel([answer]);
      const { signal } = new AbortController();
      const paid = signer.pay(daemon, { ...request, ...changes }, () => undefined, signal);
      const code = await rejectionCode(paid);
      expect(daemon.submits).toHaveLength(code === "none" ? 1 : 0);
      return code;
    },
  };
}

/** A payment without a memo. */
function silentCase(): SignerCase {
  const found = REFUSED.find(({ name }) => name === "no memo") ?? HONEST;
  const payments = found.intent.payments.map((payment) => ({ ...payment, memo: "" }));
  return { ...found, intent: { ...found.intent, payments } };
}
