/** Routes about work that lasts, which a call with `?job=1` began. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { flag, integer, share, sompi, text, txid, word } from "../../contract/answerFields.ts";
import { textField } from "../../contract/requestFields.ts";
import { route } from "../route.ts";

/** The number of a job in a path. */
export const jobParams = v.object({
  id: v.pipe(textField, v.regex(/^[A-Za-z0-9_-]{1,64}$/, "the number of a job")),
});

const payout = v.object({
  /** Line of the file, or place in the list, from 1. */
  line: integer,
  reference: v.nullable(text),
  to: text,
  amount_sompi: sompi,
  /** `part`: some of its transactions were sent, and more is missing. */
  status: word(["waiting", "sent", "part", "failed", "cancelled"]),
  sent_sompi: sompi,
  txids: v.array(txid),
  error: v.nullable(v.object({ error: text, code: text })),
});

/** A job. */
export const job = v.object({
  id: text,
  kind: text,
  state: word(["waiting", "running", "done", "failed", "cancelled"]),
  /** What is done now: `planning`, `proving`, `broadcasting`, … */
  phase: text,
  share,
  /** Null while nobody knows. */
  seconds_left: v.nullable(integer),
  created_unix: integer,
  updated_unix: integer,
  /** Whether a part of it can no longer be undone: a transaction was broadcast. */
  committed: flag,
  /** The answer of the call when it is done. */
  answer: v.nullable(v.unknown()),
  /** The error of the call when it has failed. */
  error: v.nullable(v.object({ error: text, code: text })),
  /** What became of each payout of a batch, once its job has ended; null for other jobs, and before. */
  payouts: v.optional(v.nullable(v.array(payout)), null),
});

/** A job that runs. */
export const EXAMPLE_JOB = {
  id: "7f3a",
  kind: "send",
  state: "running",
  phase: "proving",
  share: 0.5,
  seconds_left: 12,
  created_unix: 1_785_100_000,
  updated_unix: 1_785_100_012,
  committed: false,
  answer: null,
  error: null,
  payouts: null,
} as const;

/** The rows. */
export const JOB_ROUTES = {
  job: route({
    group: "jobs",
    method: "GET",
    path: "/api/jobs/{id}",
    credential: "token",
    scope: "any",
    params: jobParams,
    answer: job,
    refusals: ["wallet/no-job"],
    about: "Tells how far a job of this wallet is, and its answer or error when it is over.",
    example: { path: "/api/jobs/7f3a", answer: EXAMPLE_JOB },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  cancelJob: route({
    group: "jobs",
    method: "POST",
    path: "/api/jobs/{id}/cancel",
    credential: "token",
    scope: "spend",
    params: jobParams,
    answer: job,
    refusals: ["wallet/no-job", "wallet/opening"],
    about: "Ends a job before its next step; what was broadcast stays sent.",
    example: { path: "/api/jobs/7f3a/cancel", answer: { ...EXAMPLE_JOB, state: "cancelled" } },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    endsWithCaller: false,
  }),
} as const;
