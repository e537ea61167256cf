/** Answer of a daemon's `POST /api/wallet/prepare`, read without believing it. */
import * as v from "valibot";
import { asSompi, type DaaScore, type Hash32, type Sompi } from "../base/brand.ts";
import { fields } from "../base/fields.ts";
import { encodeHex } from "../base/hex.ts";
import { SvcError } from "../base/svcError.ts";
import { readEnvelopeV2 } from "./envelopeV2.ts";
import { parseExactJson } from "./wire/exactJson.ts";
import { listForActions, preparedFields, readPrepared } from "./wire/preparedFields.ts";
import { PREPARED_VERSION, type PlannedOutput, type PreparedPayment } from "./preparedPayment.ts";
import { unprovenBundle } from "./wire/unprovenBundle.ts";

const { amount, bundle, hex32, session } = preparedFields;
const schema = v.looseObject({
  session,
  sighash: fields.hash32,
  value_balance: amount,
  amount_sompi_exact: fields.sompi,
  fee_sompi_exact: fields.sompi,
  remaining_sompi_exact: fields.sompi,
  bundle_hex: bundle,
  spend_auth: listForActions(v.looseObject({ index: fields.u32, alpha: hex32 })),
  disclosure: listForActions(
    v.looseObject({
      spend_value: amount,
      out_value: amount,
      out_recipient: fields.rawAddress,
      out_rseed: hex32,
      rcv: hex32,
    }),
  ),
  preparedPayment: v.nullish(v.unknown()),
});
type Answer = v.InferOutput<typeof schema>;

/** What was asked of the daemon, and what the device knows by itself. */
export type PrepareQuestion = {
  /** Genesis hash of the local network. */
  readonly network: string;
  readonly daaScore: DaaScore;
  /** The payee's address as it was asked for. */
  readonly to: string;
  /** The payment as it was asked for. */
  readonly payment: PlannedOutput;
};

/** A prepared payment with what the daemon claims beside it. */
export type PrepareAnswer = {
  /** Without the proof. Its payment is the part of what was asked for that this transaction makes. */
  readonly prepared: PreparedPayment;
  /** Compared by the signer, never signed. */
  readonly claimedSighash: Hash32;
  /** Sompi of what was asked for that this transaction does not pay. */
  readonly remaining: Sompi;
};

/**
 * Reads the answer. Throws `signer/bad-prepared`, `signer/bad-checksum`, `signer/wrong-network`, and `signer/claim-differs` where it
 * contradicts the question or itself: amounts that do not add up, or an envelope with other contents.
 */
export function readPrepareAnswer(text: string, question: PrepareQuestion): PrepareAnswer {
  const answer = readPrepared(schema, parseExactJson(text));
  const paid = answer.amount_sompi_exact;
  const remaining = answer.remaining_sompi_exact;
  if (paid + remaining !== question.payment.value) throw differs("amount_sompi_exact");
  if (answer.value_balance !== answer.fee_sompi_exact) throw differs("value_balance");
  if (answer.preparedPayment !== undefined && answer.preparedPayment !== null) {
    compareEnvelope(answer, answer.preparedPayment, question);
  }
  const prepared: PreparedPayment = {
    version: PREPARED_VERSION,
    network: question.network,
    session: answer.session,
    daaScore: question.daaScore,
    payments: [{ ...question.payment, value: asSompi(paid) }],
    fee: answer.fee_sompi_exact,
    bundle: unprovenBundle(answer.bundle_hex),
    disclosure: disclosureOf(answer),
    alphas: answer.spend_auth.map(({ index, alpha }) => ({ index, alpha })),
  };
  return { prepared, claimedSighash: answer.sighash, remaining };
}

function disclosureOf(answer: Answer): PreparedPayment["disclosure"] {
  return answer.disclosure.map((entry) => ({
    spendValue: entry.spend_value,
    outValue: entry.out_value,
    outRecipient: entry.out_recipient,
    outRseed: entry.out_rseed,
    rcv: entry.rcv,
  }));
}

/** The same payment comes in two forms; a device that reads one must not be shown another one than a device that reads the other. */
function compareEnvelope(answer: Answer, source: unknown, question: PrepareQuestion): void {
  const envelope = readEnvelopeV2(source);
  const { network } = question;
  if (envelope.networkDomain !== network) {
    throw new SvcError("signer/wrong-network", {
      expected: network,
      found: envelope.networkDomain,
    });
  }
  const alphas = envelope.spendAuth.map(({ actionIndex, alpha }) => [actionIndex, alpha]);
  const same = {
    recipient: envelope.recipient === question.to,
    amount: envelope.amount === answer.amount_sompi_exact,
    fee: envelope.fee === answer.fee_sompi_exact,
    bundle: encodeHex(envelope.bundle) === encodeHex(answer.bundle_hex),
    disclosure: flat(envelope.disclosure) === flat(disclosureOf(answer)),
    spendAuth: flat(alphas) === flat(answer.spend_auth.map(({ index, alpha }) => [index, alpha])),
  };
  for (const [field, isSame] of Object.entries(same)) if (!isSame) throw differs(field);
}

/** A text that is the same for the same values in the same order. */
function flat(list: readonly object[]): string {
  return list.map((entry) => Object.values(entry).join(" ")).join("\n");
}

function differs(field: string): SvcError {
  return new SvcError("signer/claim-differs", { field });
}
