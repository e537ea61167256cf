/** Routes about scoped tokens and the payments that wait for approval: the wallet's own token alone opens them. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { hex, integer, sompi, text, word } from "../../contract/answerFields.ts";
import { FIELD_FORMS } from "../fieldForms.ts";
import {
  addressField,
  requestObject,
  sompiField,
  textField,
  u32Field,
} from "../../contract/requestFields.ts";
import { route } from "../route.ts";
import { EXAMPLE_JOB, job, jobParams } from "./jobRoutes.ts";

const SCOPES = ["view", "prepare", "spend"] as const;
const ID = "9c".repeat(16);
const ADDRESS =
  "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463";

const scopes = v.pipe(
  v.array(v.picklist(SCOPES, "view, prepare or spend"), "a list"),
  v.minLength(1, FIELD_FORMS.notEmpty),
  v.maxLength(PROTOCOL_LIMITS.tokenScopesMax, "a short list"),
);
const payees = v.pipe(
  v.array(addressField, "a list"),
  v.maxLength(
    PROTOCOL_LIMITS.tokenPayeesMax,
    `a list of at most ${PROTOCOL_LIMITS.tokenPayeesMax}`,
  ),
);

const tokenFields = {
  /** Its name, which is no credential. */
  id: hex(16),
  label: text,
  scope: v.array(word(SCOPES)),
  /** What may leave the wallet on one day (UTC), fees among it. */
  day_limit_sompi: v.nullable(sompi),
  payees: v.nullable(v.array(text)),
  /** A payment of more waits for the owner. */
  approval_above_sompi: v.nullable(sompi),
  created_unix: integer,
  expires_unix: v.nullable(integer),
  revoked_unix: v.nullable(integer),
  /** To the minute. */
  used_unix: v.nullable(integer),
} as const;

const EXAMPLE_TOKEN = {
  id: ID,
  label: "payout server",
  scope: ["spend"],
  day_limit_sompi: "100000000000",
  payees: null,
  approval_above_sompi: "10000000000",
  created_unix: 1_785_100_000,
  expires_unix: null,
  revoked_unix: null,
  used_unix: null,
} as const;

const approval = v.object({
  job: text,
  kind: text,
  /** What is paid to others. */
  amount_sompi: sompi,
  /** The least fee that was asked for, of each transaction. */
  fee_floor_sompi: sompi,
  payees: integer,
  /** The first of them. */
  first_payees: v.array(v.object({ to: text, amount_sompi: sompi, memo: v.nullable(text) })),
  /** The token that asks. */
  token_id: text,
  created_unix: integer,
  /** When it is cancelled by itself. */
  expires_unix: integer,
});

/** The rows. */
export const TOKEN_ROUTES = {
  createToken: route({
    group: "tokens",
    method: "POST",
    path: "/api/wallet/tokens",
    credential: "token",
    scope: "owner",
    body: requestObject({
      label: v.nullish(textField),
      scope: scopes,
      day_limit_sompi: v.nullish(sompiField),
      payees: v.nullish(payees),
      approval_above_sompi: v.nullish(sompiField),
      expires_unix: v.nullish(u32Field),
    }),
    answer: v.object({
      /** The credential, which is shown here alone. */
      token: text,
      ...tokenFields,
    }),
    refusals: ["wallet/no-wallet", "wallet/bad-scoped-token", "address/bad-checksum"],
    about:
      "Makes a token that opens a part of this wallet, for the header `X-Wallet-Token`: to look (`view`), to prepare payments that a device signs (`prepare`), to spend (`spend`).",
    example: {
      body: {
        label: "payout server",
        scope: ["spend"],
        day_limit_sompi: "100000000000",
        approval_above_sompi: "10000000000",
      },
      answer: { token: `svct.${"7e".repeat(32)}`, ...EXAMPLE_TOKEN },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    endsWithCaller: false,
  }),
  tokens: route({
    group: "tokens",
    method: "GET",
    path: "/api/wallet/tokens",
    credential: "token",
    scope: "owner",
    answer: v.object({ tokens: v.array(v.object(tokenFields)) }),
    refusals: ["wallet/no-wallet"],
    about:
      "Lists the scoped tokens of this wallet, the oldest first, with the last hundred that are revoked or expired.",
    example: { answer: { tokens: [EXAMPLE_TOKEN] } },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  revokeToken: route({
    group: "tokens",
    method: "POST",
    path: "/api/wallet/tokens/{id}/revoke",
    credential: "token",
    scope: "owner",
    params: v.object({ id: v.pipe(textField, v.regex(/^[0-9a-f]{32}$/, "the id of a token")) }),
    answer: v.object(tokenFields),
    refusals: ["wallet/no-scoped-token"],
    about:
      "Revokes a token: it opens nothing any more. Its payments that wait for approval are cancelled; what it began goes on, and can be cancelled.",
    example: {
      path: `/api/wallet/tokens/${ID}/revoke`,
      answer: { ...EXAMPLE_TOKEN, revoked_unix: 1_785_100_100 },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    endsWithCaller: false,
  }),
  approvals: route({
    group: "tokens",
    method: "GET",
    path: "/api/wallet/approvals",
    credential: "token",
    scope: "owner",
    answer: v.object({ approvals: v.array(approval) }),
    refusals: ["wallet/no-wallet"],
    about:
      "Lists the payments of scoped tokens that wait for the owner, the oldest first; after three days they are cancelled.",
    example: {
      answer: {
        approvals: [
          {
            job: "7f3a",
            kind: "send",
            amount_sompi: "20000000000",
            fee_floor_sompi: "0",
            payees: 1,
            first_payees: [{ to: ADDRESS, amount_sompi: "20000000000", memo: "payout 3" }],
            token_id: ID,
            created_unix: 1_785_100_000,
            expires_unix: 1_785_359_200,
          },
        ],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  approve: route({
    group: "tokens",
    method: "POST",
    path: "/api/wallet/approvals/{id}/approve",
    credential: "token-and-custodial",
    scope: "owner",
    params: jobParams,
    answer: job,
    refusals: ["wallet/no-wallet", "wallet/not-awaiting"],
    about: "Lets a payment begin that waits for the owner.",
    example: { path: "/api/wallet/approvals/7f3a/approve", answer: EXAMPLE_JOB },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    endsWithCaller: false,
  }),
  deny: route({
    group: "tokens",
    method: "POST",
    path: "/api/wallet/approvals/{id}/deny",
    credential: "token",
    scope: "owner",
    params: jobParams,
    answer: job,
    refusals: ["wallet/not-awaiting"],
    about:
      "Cancels a payment that waits for the owner; the token's sum of the day is as before it.",
    example: {
      path: "/api/wallet/approvals/7f3a/deny",
      answer: { ...EXAMPLE_JOB, state: "cancelled" },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    endsWithCaller: false,
  }),
} as const;
