/** Routes of payout batches: a file in, its job, a file out. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { flag, integer, sompi, text, txid } from "../../contract/answerFields.ts";
import {
  flagField,
  queryFlag,
  requestObject,
  sompiField,
  textField,
} from "../../contract/requestFields.ts";
import { route } from "../route.ts";
import { jobParams } from "./jobRoutes.ts";
import { NOTES_REFUSALS, WAY_REFUSALS } from "./spendRoutes.ts";

const ADDRESS =
  "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463";

/** The rows. */
export const PAYOUT_ROUTES = {
  payout: route({
    group: "spend",
    method: "POST",
    path: "/api/wallet/payouts",
    credential: "token-and-custodial",
    scope: "spend",
    /** Passed over: a batch is always a job. */
    query: v.object({ job: queryFlag }),
    body: requestObject({
      /** Of the file. */
      format: v.picklist(["csv", "json"], "csv or json"),
      /** The file as text. */
      data: textField,
      /** Nothing is paid. */
      dry_run: v.nullish(flagField),
      fee: v.nullish(sompiField),
      max_fee: v.nullish(sompiField),
    }),
    answer: v.object({
      dry_run: flag,
      payouts: integer,
      total_sompi: sompi,
      fee_sompi: sompi,
      tx_count: integer,
      /** Notes that are spent. */
      notes: integer,
      /** Of proving; null before the first proof of this daemon. */
      seconds: v.nullable(integer),
      /** Whether it waits for the owner of the wallet. */
      needs_approval: flag,
      /** Of a batch that was paid, and whose job is forgotten: its key is used again after a week. Null for an estimate. */
      txids: v.optional(v.nullable(v.array(txid)), null),
      /** What is wrong with single lines; while there is any, the other fields are 0. */
      faults: v.array(v.object({ line: integer, error: text, code: text })),
    }),
    refusals: [
      ...WAY_REFUSALS,
      ...NOTES_REFUSALS,
      "wallet/watch-only",
      "wallet/fee-too-high",
      "wallet/key-reused",
      "wallet/partly-sent",
      "wallet/bad-payout-file",
    ],
    about:
      "Pays a file of payouts, each row of which is checked before any is paid, as a job (202); with `dry_run` it says what is wrong with the file, or what it would take. A key whose job is forgotten answers with what was paid for it.",
    example: {
      body: {
        format: "csv",
        data: `to,amount,reference\n${ADDRESS},1.5,payout-3\n`,
        dry_run: true,
      },
      answer: {
        dry_run: true,
        payouts: 1,
        total_sompi: "150000000",
        fee_sompi: "1855400",
        tx_count: 1,
        notes: 1,
        seconds: 3,
        needs_approval: false,
        txids: null,
        faults: [],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletHistoryMs,
    takesKey: true,
    lasts: true,
    endsWithCaller: false,
  }),
  payoutReport: route({
    group: "spend",
    method: "GET",
    path: "/api/wallet/payouts/{id}/report",
    credential: "token",
    scope: "any",
    params: jobParams,
    answer: text,
    refusals: ["wallet/no-wallet", "wallet/no-job"],
    about:
      "Gives what became of each payout of a batch as CSV, one line for each, in the order of its file.",
    example: {
      path: "/api/wallet/payouts/7f3a/report",
      answer: `line,reference,to,amount,amount_sompi,status,sent_sompi,txids,error_code,error\r\n2,payout-3,${ADDRESS},1.5,150000000,sent,150000000,${"ab".repeat(32)},,\r\n`,
    },
    timeoutMs: PROTOCOL_LIMITS.walletHistoryMs,
    isCsv: true,
  }),
} as const;
