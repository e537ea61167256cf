/** Routes that spend with a seed that the daemon holds. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { integer, sompi, txid } from "../../contract/answerFields.ts";
import { amountFields, oneAmount } from "../amountFields.ts";
import { FIELD_FORMS } from "../fieldForms.ts";
import {
  ADDRESS_REFUSALS,
  addressField,
  flagField,
  queryFlag,
  requestObject,
  sompiField,
  textField,
} from "../../contract/requestFields.ts";
import { route } from "../route.ts";

const ADDRESS =
  "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463";
const TXID = "ab".repeat(32);

const payee = v.pipe(
  requestObject({ to: addressField, memo: v.nullish(textField), ...amountFields }),
  oneAmount(),
);

/** What keeps a wallet from paying anything. */
export const WAY_REFUSALS = [
  "wallet/no-wallet",
  "wallet/opening",
  "wallet/not-synced",
  "wallet/rows-lost",
  "wallet/false-record",
  "queue/full",
  "prove/failed",
] as const;

/** What the planner of a payment says of the notes that it has. */
export const NOTES_REFUSALS = [
  "wallet/funds-maturing",
  "wallet/payment-pending",
  "wallet/insufficient-funds",
  "wallet/too-few-notes",
  "wallet/retry-unsafe",
] as const;

/** What else a call with a seed of the daemon may end with. */
const SEED_REFUSALS = [
  "wallet/watch-only",
  "wallet/key-reused",
  "wallet/fee-too-high",
  "wallet/cancelled",
  "wallet/payment-rejected",
  "tx/nullifier-spent",
] as const;

/** Result of a payment over one or more transactions. */
export const sendResult = v.object({
  txid,
  txids: v.array(txid),
  tx_count: integer,
  amount_sompi: sompi,
  fee_sompi: sompi,
  amount_sompi_exact: sompi,
  fee_sompi_exact: sompi,
});

/** Such a result. */
export const EXAMPLE_SENT = {
  txid: TXID,
  txids: [TXID],
  tx_count: 1,
  amount_sompi: "150000000",
  fee_sompi: "1855400",
  amount_sompi_exact: "150000000",
  fee_sompi_exact: "1855400",
};

/** The least fee of each transaction, and the most that all of a call may cost together. */
const feeFields = { fee: v.nullish(sompiField), max_fee: v.nullish(sompiField) };

const lasting = v.object({ job: queryFlag });

/** The rows. */
export const SPEND_ROUTES = {
  send: route({
    group: "spend",
    method: "POST",
    path: "/api/wallet/send",
    credential: "token-and-custodial",
    scope: "spend",
    query: lasting,
    body: v.pipe(
      requestObject({
        to: addressField,
        ...amountFields,
        ...feeFields,
        memo: v.nullish(textField),
      }),
      oneAmount(),
    ),
    answer: sendResult,
    refusals: [
      ...WAY_REFUSALS,
      ...NOTES_REFUSALS,
      ...SEED_REFUSALS,
      ...ADDRESS_REFUSALS,
      "wallet/partly-sent",
      "wallet/memo-too-long",
    ],
    about:
      "Pays one address the whole amount, over as many transactions as it needs; a fee below the network's least is raised, and nothing is sent where all fees together exceed `max_fee`.",
    example: {
      body: { to: ADDRESS, amount_sompi: "150000000", memo: "invoice 17" },
      answer: EXAMPLE_SENT,
    },
    timeoutMs: PROTOCOL_LIMITS.walletSendMs,
    takesKey: true,
    lasts: true,
    endsWithCaller: false,
  }),
  sendMany: route({
    group: "spend",
    method: "POST",
    path: "/api/wallet/send_many",
    credential: "token-and-custodial",
    scope: "spend",
    query: lasting,
    body: requestObject({
      payees: v.pipe(
        v.array(payee, "a list"),
        v.minLength(1, FIELD_FORMS.notEmpty),
        v.maxLength(
          PROTOCOL_LIMITS.payeesPerCall,
          `a list of at most ${PROTOCOL_LIMITS.payeesPerCall}`,
        ),
      ),
      ...feeFields,
    }),
    answer: v.object({
      txids: v.array(txid),
      tx_count: integer,
      payees: integer,
      paid_sompi: sompi,
      fee_sompi: sompi,
      paid_sompi_exact: sompi,
      fee_sompi_exact: sompi,
    }),
    refusals: [
      ...WAY_REFUSALS,
      ...NOTES_REFUSALS,
      ...SEED_REFUSALS,
      "wallet/partly-sent",
      "wallet/bad-payee",
      "codec/number-out-of-range",
    ],
    about:
      "Pays many addresses, up to 37 in each transaction, in the order of the request; all are checked before anything is paid.",
    example: {
      body: { payees: [{ to: ADDRESS, amount_sompi: "150000000", memo: "payout 3" }] },
      answer: {
        txids: [TXID],
        tx_count: 1,
        payees: 1,
        paid_sompi: "150000000",
        fee_sompi: "1855400",
        paid_sompi_exact: "150000000",
        fee_sompi_exact: "1855400",
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletSendManyMs,
    takesKey: true,
    lasts: true,
    endsWithCaller: false,
  }),
  consolidate: route({
    group: "spend",
    method: "POST",
    path: "/api/wallet/consolidate",
    credential: "token-and-custodial",
    scope: "spend",
    query: lasting,
    body: v.nullish(requestObject({ ...feeFields, heal: v.nullish(flagField) }), {}),
    answer: v.object({
      txid,
      consolidated: integer,
      value_sompi: sompi,
      value_sompi_exact: sompi,
      notes_remaining: integer,
    }),
    refusals: [...WAY_REFUSALS, ...SEED_REFUSALS, "wallet/nothing-to-consolidate"],
    about: "Merges up to 38 notes into one, the smallest first; with `heal` the oldest.",
    example: {
      body: { heal: true },
      answer: {
        txid: TXID,
        consolidated: 38,
        value_sompi: "912345678",
        value_sompi_exact: "912345678",
        notes_remaining: 462,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletConsolidateMs,
    takesKey: true,
    lasts: true,
    endsWithCaller: false,
  }),
} as const;
