/** Routes for a device that holds the seed: the daemon prepares and proves, the device checks and signs. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { exactInteger, flag, hex, integer, sompi, text } from "../../contract/answerFields.ts";
import { amountFields, oneAmount } from "../amountFields.ts";
import { FIELD_FORMS } from "../fieldForms.ts";
import { NumberText } from "../../contract/numberText.ts";
import {
  ADDRESS_REFUSALS,
  addressField,
  flagField,
  hexField,
  queryFlag,
  requestObject,
  sompiField,
  textField,
  u32Field,
} from "../../contract/requestFields.ts";
import { route } from "../route.ts";
import { EXAMPLE_SENT, NOTES_REFUSALS, sendResult, WAY_REFUSALS } from "./spendRoutes.ts";

const VIEWING_KEY_BYTES = 96;
const SESSION_BYTES = 24;
const SIGNATURE_BYTES = 64;
const RAW_ADDRESS_BYTES = 43;
const CONTEXT_BYTES = 38;

const ADDRESS =
  "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463";
const SESSION = "5e".repeat(SESSION_BYTES);
const WORD = "1a".repeat(32);
const RAW_ADDRESS = "2b".repeat(RAW_ADDRESS_BYTES);
const CONTEXT = `0200${"00".repeat(CONTEXT_BYTES - 2)}`;
/** Stands for a bundle of some thousand bytes. */
const BUNDLE = "3c".repeat(8);

const preparedPayment = v.object({
  format: v.literal("svc-prepared-payment"),
  version: integer,
  networkDomain: hex(32),
  recipient: text,
  amount: sompi,
  fee: sompi,
  txContext: hex(CONTEXT_BYTES),
  bundle: hex(),
  disclosure: v.array(
    v.object({
      spendValue: sompi,
      outValue: sompi,
      outRecipient: hex(RAW_ADDRESS_BYTES),
      outRseed: hex(32),
      rcv: hex(32),
    }),
  ),
  spendAuth: v.array(v.object({ actionIndex: integer, alpha: hex(32) })),
  checksum: hex(32),
});

const prepared = v.object({
  session: hex(SESSION_BYTES),
  sighash: hex(32),
  value_balance: exactInteger,
  amount_sompi: sompi,
  fee_sompi: sompi,
  remaining_sompi: sompi,
  amount_sompi_exact: sompi,
  fee_sompi_exact: sompi,
  remaining_sompi_exact: sompi,
  spend_auth: v.array(v.object({ index: integer, alpha: hex(32) })),
  bundle_hex: hex(),
  disclosure: v.array(
    v.object({
      spend_value: exactInteger,
      out_value: exactInteger,
      out_recipient: hex(RAW_ADDRESS_BYTES),
      out_rseed: hex(32),
      rcv: hex(32),
    }),
  ),
  preparedPayment,
  fast_path: v.optional(flag, false),
});

const PREPARED = {
  session: SESSION,
  sighash: WORD,
  value_balance: new NumberText("1855400"),
  amount_sompi: "150000000",
  fee_sompi: "1855400",
  remaining_sompi: "0",
  amount_sompi_exact: "150000000",
  fee_sompi_exact: "1855400",
  remaining_sompi_exact: "0",
  spend_auth: [{ index: 0, alpha: WORD }],
  bundle_hex: BUNDLE,
  disclosure: [
    {
      spend_value: new NumberText("200000000"),
      out_value: new NumberText("150000000"),
      out_recipient: RAW_ADDRESS,
      out_rseed: WORD,
      rcv: WORD,
    },
  ],
  preparedPayment: {
    format: "svc-prepared-payment",
    version: 2,
    networkDomain: WORD,
    recipient: ADDRESS,
    amount: "150000000",
    fee: "1855400",
    txContext: CONTEXT,
    bundle: BUNDLE,
    disclosure: [
      {
        spendValue: "200000000",
        outValue: "150000000",
        outRecipient: RAW_ADDRESS,
        outRseed: WORD,
        rcv: WORD,
      },
    ],
    spendAuth: [{ actionIndex: 0, alpha: WORD }],
    checksum: WORD,
  },
  fast_path: true,
} as const;

/** The rows. */
export const DEVICE_ROUTES = {
  prepare: route({
    group: "device",
    method: "POST",
    path: "/api/wallet/prepare",
    credential: "token",
    scope: "prepare",
    query: v.object({ job: queryFlag }),
    body: v.pipe(
      requestObject({
        fvk_hex: hexField(VIEWING_KEY_BYTES),
        to: addressField,
        ...amountFields,
        fee: v.nullish(sompiField),
        memo: v.nullish(textField),
        allow_partial: v.nullish(flagField),
      }),
      oneAmount(),
    ),
    answer: prepared,
    refusals: [
      ...WAY_REFUSALS,
      ...NOTES_REFUSALS,
      ...ADDRESS_REFUSALS,
      "wallet/memo-too-long",
      "wallet/preparing",
      "wallet/prove-queue",
      "wallet/other-viewing-key",
      "keys/bad-viewing-key",
    ],
    about:
      "Builds and proves one transaction that the device signs; the session is used once and lives ten minutes, and with `allow_partial` it may pay a part.",
    example: {
      body: {
        fvk_hex: "0c".repeat(VIEWING_KEY_BYTES),
        to: ADDRESS,
        amount_sompi: "150000000",
        allow_partial: false,
      },
      answer: PREPARED,
    },
    timeoutMs: PROTOCOL_LIMITS.walletSendMs,
    lasts: true,
    endsWithCaller: false,
  }),
  submit: route({
    group: "device",
    method: "POST",
    path: "/api/wallet/submit",
    credential: "token",
    scope: "prepare",
    body: requestObject({
      session: hexField(SESSION_BYTES),
      sigs: v.pipe(
        v.array(
          requestObject({ index: u32Field, sig: hexField(SIGNATURE_BYTES, FIELD_FORMS.signature) }),
          "a list",
        ),
        v.minLength(1, FIELD_FORMS.notEmpty),
        v.maxLength(
          PROTOCOL_LIMITS.signaturesPerCall,
          `a list of at most ${PROTOCOL_LIMITS.signaturesPerCall}`,
        ),
      ),
    }),
    answer: sendResult,
    refusals: [
      "wallet/no-wallet",
      "wallet/no-session",
      "wallet/wrong-signatures",
      "wallet/bad-signature",
      "wallet/key-reused",
      "wallet/payment-rejected",
      "tx/nullifier-spent",
    ],
    about: "Takes the signatures of a prepared payment and broadcasts it.",
    example: {
      body: { session: SESSION, sigs: [{ index: 0, sig: "4d".repeat(SIGNATURE_BYTES) }] },
      answer: EXAMPLE_SENT,
    },
    timeoutMs: PROTOCOL_LIMITS.walletSubmitMs,
    takesKey: true,
    endsWithCaller: false,
  }),
  discard: route({
    group: "device",
    method: "POST",
    path: "/api/wallet/discard",
    credential: "token",
    scope: "prepare",
    body: v.nullish(requestObject({ session: v.nullish(hexField(SESSION_BYTES)) }), {}),
    answer: v.object({ discarded: integer }),
    refusals: ["wallet/no-wallet"],
    about:
      "Gives up a prepared payment that nobody signed, or all of the wallet, and frees their notes; what was submitted goes on.",
    example: { body: { session: SESSION }, answer: { discarded: 1 } },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    endsWithCaller: false,
  }),
} as const;
