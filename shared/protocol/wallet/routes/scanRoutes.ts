/** Routes about what the scan of a wallet found, and how it scans. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import {
  coinNumber,
  exactInteger,
  flag,
  integer,
  sompi,
  text,
  txid,
  hex,
  word,
} from "../../contract/answerFields.ts";
import { NumberText } from "../../contract/numberText.ts";
import {
  daaField,
  flagField,
  queryCount,
  queryFlag,
  requestObject,
} from "../../contract/requestFields.ts";
import { route } from "../route.ts";
import { balanceFields, EXAMPLE_BALANCE } from "./statusRoutes.ts";

const TXID = "ab".repeat(32);

const historyRow = v.object({
  kind: word(["coinbase", "received", "sent"]),
  txid,
  daaScore: integer,
  /** Of the accepting chain block. */
  blueScore: integer,
  /** Null once the wallet remembers the block no longer: it is far below the settle depth. */
  acceptingBlock: v.nullable(hex(32)),
  /** Milliseconds since the Unix epoch; 0 when it is not known. */
  timestamp: integer,
  amount: sompi,
  amountSompi: sompi,
  amountSompiExact: sompi,
  amountSvc: coinNumber,
  amountKind: word(["paid", "netOutflow"]),
  feeSompi: sompi,
  feeSompiExact: sompi,
  feeKnown: flag,
  recipient: v.nullable(text),
  memo: v.nullable(text),
  /** False where only compact records could be read: a null memo then says nothing. */
  memoKnown: flag,
});

const pendingRow = v.object({
  txid,
  amountSompi: sompi,
  amountSvc: coinNumber,
  /** DAA score of its anchor; 0 where that is not remembered. */
  submittedDaa: integer,
});

/** The rows. */
export const SCAN_ROUTES = {
  balance: route({
    group: "scan",
    method: "GET",
    path: "/api/wallet/balance",
    credential: "token",
    scope: "view",
    query: v.object({ notes: queryFlag }),
    answer: v.object({
      ...balanceFields,
      synced: v.optional(flag, false),
      scanned_blocks: integer,
      chain_len: integer,
      note_count: integer,
      updated_unix: integer,
      error: v.nullable(text),
      notes: v.optional(v.array(v.object({ position: integer, value: exactInteger }))),
    }),
    refusals: ["wallet/no-wallet", "wallet/opening"],
    about:
      "Gives the total, what can be spent, what is maturing and what is on its way; with `notes=1` each note too.",
    example: {
      answer: {
        ...EXAMPLE_BALANCE,
        synced: true,
        scanned_blocks: 812_140,
        chain_len: 812_345,
        note_count: 3,
        updated_unix: 1_785_100_000,
        error: null,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  history: route({
    group: "scan",
    method: "GET",
    path: "/api/wallet/history",
    credential: "token",
    scope: "view",
    query: v.object({
      limit: queryCount(PROTOCOL_LIMITS.historyRowsDefault, 1, PROTOCOL_LIMITS.historyRowsMax),
      offset: queryCount(0, 0, Number.MAX_SAFE_INTEGER),
    }),
    answer: v.object({
      recoverableHistory: flag,
      total: integer,
      offset: integer,
      limit: integer,
      rows: v.array(historyRow),
      pendingOutgoing: v.array(pendingRow),
    }),
    refusals: ["wallet/no-wallet", "wallet/opening"],
    about:
      "Lists payments, the newest first; confirmations are the status's `sink_blue_score` minus a row's `blueScore`.",
    example: {
      path: "/api/wallet/history?limit=50",
      answer: {
        recoverableHistory: false,
        total: 1,
        offset: 0,
        limit: 50,
        rows: [
          {
            kind: "received",
            txid: TXID,
            daaScore: 811_000,
            blueScore: 803_900,
            acceptingBlock: "cd".repeat(32),
            timestamp: 1_785_099_000_000,
            amount: "250000000",
            amountSompi: "250000000",
            amountSompiExact: "250000000",
            amountSvc: new NumberText("2.5"),
            amountKind: "paid",
            feeSompi: "0",
            feeSompiExact: "0",
            feeKnown: false,
            recipient:
              "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463",
            memo: "customer 4711",
            memoKnown: true,
          },
        ],
        pendingOutgoing: [],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletHistoryMs,
  }),
  settings: route({
    group: "scan",
    method: "POST",
    path: "/api/wallet/settings",
    credential: "token",
    scope: "owner",
    body: requestObject({ recoverable_history: v.nullish(flagField) }),
    answer: v.object({ recoverableHistory: flag }),
    refusals: ["wallet/no-wallet"],
    about:
      "Sets whether later payments carry the outgoing viewing key, so that the seed alone can read whom they paid.",
    example: { body: { recoverable_history: true }, answer: { recoverableHistory: true } },
    timeoutMs: PROTOCOL_LIMITS.walletSignMs,
    endsWithCaller: false,
  }),
  rescan: route({
    group: "scan",
    method: "POST",
    path: "/api/wallet/rescan",
    credential: "token",
    scope: "owner",
    query: v.object({ job: queryFlag }),
    body: v.nullish(
      requestObject({ force: v.nullish(flagField), birthday: v.nullish(daaField) }),
      {},
    ),
    answer: v.object({ rescanning: flag }),
    refusals: ["wallet/no-wallet"],
    about:
      "Scans the wallet again from `birthday`, else its own, and never from above its oldest known payment; where the node's history begins later, from there, and the status says `missing_history`.",
    example: { body: {}, answer: { rescanning: true } },
    timeoutMs: PROTOCOL_LIMITS.walletHistoryMs,
    lasts: true,
    endsWithCaller: false,
  }),
} as const;
