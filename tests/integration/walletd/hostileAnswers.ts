/** Changes that a hostile daemon may make of its answer to a device, and what the device says then. */
import { asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import type { PayRequest } from "@svc/shared/signer/payOnDevice.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import type { Answer } from "../../signer/daemonModel.ts";

const COIN = 100_000_000n;
const { alice, carol } = readPaymentFixture().owners;

/** Changes an answer; `others` is the honest one to another question. */
export type Spoil = (answer: Answer, others: Answer) => void;

/** Its name, the change, the code of the refusal, and how the device asked where that differs. */
export type HostileAnswer = readonly [string, Spoil, string, Partial<PayRequest>?];

/** The change without the older envelope, which would contradict it. */
function alone(spoil: Spoil): Spoil {
  return (answer, others) => {
    spoil(answer, others);
    answer.preparedPayment = null;
  };
}

function flip(answer: Answer, at: number): void {
  answer.bundle_hex = encodeHex(withFlippedBit(decodeHex(answer.bundle_hex), at));
}

const replaced: Spoil = (answer, others) => void Object.assign(answer, others);

/** The changes to the answer that pays alice's coin to bob. */
export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  ["another payee", replaced, "signer/claim-differs"],
  ["another payee, silently", alone(replaced), "signer/payee-missing"],
  ["another amount", (answer) => (answer.amount_sompi_exact = "1"), "signer/claim-differs"],
  [
    "less than the amount",
    alone((answer) => {
      answer.amount_sompi_exact = String(COIN - 1n);
      answer.remaining_sompi_exact = "1";
    }),
    "signer/remaining",
  ],
  ["another fee beside the bundle", (answer) => (answer.value_balance = 1), "signer/claim-differs"],
  [
    "another fee everywhere",
    alone((answer) => {
      answer.value_balance = 1;
      answer.fee_sompi_exact = "1";
    }),
    "signer/fee-differs",
  ],
  ["a fee above the maximum", () => undefined, "signer/fee-above-maximum", { maxFee: asSompi(1n) }],
  ["another memo", () => undefined, "signer/memo-differs", { memo: "order 9" }],
  [
    "change to somebody else",
    alone((answer) => {
      for (const entry of answer.disclosure) {
        if (entry["out_recipient"] === alice.recipient) entry["out_recipient"] = carol.recipient;
      }
    }),
    "signer/note-differs",
  ],
  [
    "another alpha",
    alone((answer) => {
      for (const entry of answer.spend_auth) entry.alpha = `02${"00".repeat(31)}`;
    }),
    "signer/randomizer-mismatch",
  ],
  ["no alpha", alone((answer) => (answer.spend_auth = [])), "signer/missing-randomizer"],
  ["another anchor", alone((answer) => flip(answer, 9)), "signer/sighash-differs"],
  ["another rk", alone((answer) => flip(answer, 113 + 32)), "signer/sighash-differs"],
  ["another sighash", (answer) => (answer.sighash = "00".repeat(32)), "signer/sighash-differs"],
  [
    "another session",
    (answer, others) => (answer.session = others.session),
    "signer/wrong-session",
  ],
  ["a signature already", alone((answer) => flip(answer, 113 + 884 - 5)), "signer/not-unsigned"],
  [
    "an envelope of another payment",
    (answer, others) => (answer.preparedPayment = others.preparedPayment),
    "signer/claim-differs",
  ],
  [
    "a damaged envelope",
    (answer) => {
      answer.preparedPayment = { ...answer.preparedPayment, fee: "2" };
    },
    "signer/bad-checksum",
  ],
];
