/** Routes of payment proofs and receipts: what shows a third party who was paid, without a key. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { hex, integer, sompi, text, txid, word } from "../../contract/answerFields.ts";
import { formOf } from "../../contract/fieldForm.ts";
import { hexField, u32Field } from "../../contract/requestFields.ts";
import { route } from "../route.ts";

const TXID_BYTES = 32;
const RAW_ADDRESS_BYTES = 43;
const TXID = "ab".repeat(TXID_BYTES);
const RAW_ADDRESS = "2b".repeat(RAW_ADDRESS_BYTES);
const WORD = "1a".repeat(32);

/** A proof as `svc verify-disclosure` and `shared/signer` read it. */
const proof = v.object({
  txid,
  index: integer,
  recipient: hex(RAW_ADDRESS_BYTES),
  value: sompi,
  rseed: hex(32),
});

const CHALLENGE = `a text of 1 to ${PROTOCOL_LIMITS.receiptChallengeBytes} bytes`;
const challenge = v.pipe(
  v.string(CHALLENGE),
  formOf({ type: "string", description: `From who asks for the receipt: ${CHALLENGE}.` }),
  v.check((given) => given !== "" && isShort(given), CHALLENGE),
);

function isShort(given: string): boolean {
  return new TextEncoder().encode(given).length <= PROTOCOL_LIMITS.receiptChallengeBytes;
}

/** The rows. */
export const DISCLOSURE_ROUTES = {
  disclosure: route({
    group: "proofs",
    method: "GET",
    path: "/api/wallet/disclosure",
    credential: "token",
    scope: "view",
    query: v.object({ txid: hexField(TXID_BYTES) }),
    answer: v.object({
      txid,
      payments: v.array(
        v.object({
          recipient: text,
          amount_sompi: sompi,
          amount_sompi_exact: sompi,
          proof,
        }),
      ),
    }),
    refusals: ["wallet/no-wallet", "wallet/no-disclosure"],
    about:
      "Gives the proofs of a payment that this daemon made: each shows one payee, its amount and its memo to whoever gets it.",
    example: {
      path: `/api/wallet/disclosure?txid=${TXID}`,
      answer: {
        txid: TXID,
        payments: [
          {
            recipient:
              "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463",
            amount_sompi: "150000000",
            amount_sompi_exact: "150000000",
            proof: {
              txid: TXID,
              index: 0,
              recipient: RAW_ADDRESS,
              value: "150000000",
              rseed: WORD,
            },
          },
        ],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  receipt: route({
    group: "proofs",
    method: "GET",
    path: "/api/wallet/receipt",
    credential: "token",
    scope: "view",
    query: v.object({
      txid: hexField(TXID_BYTES),
      index: v.optional(u32Field),
      challenge: v.optional(challenge),
    }),
    answer: v.object({
      txid,
      index: integer,
      kind: word(["coinbase", "received", "sent"]),
      recipient: text,
      amount_sompi: sompi,
      amount_sompi_exact: sompi,
      /** Chain block by which the payment was made. */
      block: hex(32),
      /** The receipt, deterministic CBOR. */
      receipt_hex: hex(),
      /** The same as a line of text. */
      receipt: text,
    }),
    refusals: [
      "wallet/no-wallet",
      "wallet/opening",
      "wallet/no-disclosure",
      "wallet/false-record",
      "wallet/node-compact-only",
      "wallet/node-unreachable",
      "evidence/not-shown",
    ],
    about:
      "Gives a receipt of a payment received or sent, which shows whoever gets it who was paid how much by which block; `index` names the output, the first where it is left out, and a `challenge` is answered by the wallet that was paid, for its owner's token alone.",
    example: {
      path: `/api/wallet/receipt?txid=${TXID}&index=0&challenge=tax%20office`,
      answer: {
        txid: TXID,
        index: 0,
        kind: "received",
        recipient:
          "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463",
        amount_sompi: "150000000",
        amount_sompi_exact: "150000000",
        block: WORD,
        receipt_hex: "a5000101",
        receipt: "ur:svc-receipt/onaeadadad",
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletHistoryMs,
  }),
} as const;
