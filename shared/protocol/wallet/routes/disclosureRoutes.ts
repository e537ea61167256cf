/** Route of payment proofs: what shows a third party whom a payment paid, without a key. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { hex, integer, sompi, text, txid } from "../../contract/answerFields.ts";
import { hexField } from "../../contract/requestFields.ts";
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
} as const;
