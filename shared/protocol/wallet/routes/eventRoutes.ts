/** Route of the deposit feed. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { flag, hex, integer, sompi, text, txid, word } from "../answerFields.ts";
import { queryCount, u64Field } from "../requestFields.ts";
import { route } from "../routeContract.ts";

const event = v.object({
  /** Pass it as `after` to get what follows. */
  cursor: text,
  kind: word(["seen", "credited", "reversed", "final"]),
  txid,
  /** Place of the output in its transaction. */
  output: integer,
  amount_sompi: sompi,
  amount_sompi_exact: sompi,
  recipient: text,
  memo: v.nullable(text),
  memo_known: flag,
  /** Null while it is in no chain block. */
  daa_score: v.nullable(integer),
  blue_score: v.nullable(integer),
  accepting_block: v.nullable(hex(32)),
  unix: integer,
});

/** The rows. */
export const EVENT_ROUTES = {
  events: route({
    group: "events",
    method: "GET",
    path: "/api/wallet/events",
    credential: "token",
    query: v.object({
      after: v.optional(u64Field, "0"),
      limit: queryCount(PROTOCOL_LIMITS.eventRowsDefault, 1, PROTOCOL_LIMITS.eventRowsMax),
      /** Seconds to wait for an event where there is none yet. */
      wait: queryCount(0, 0, PROTOCOL_LIMITS.eventWaitSeconds),
    }),
    answer: v.object({ events: v.array(event), next: text, more: flag }),
    refusals: ["wallet/no-wallet"],
    about:
      "Gives what happened to deposits after a cursor, each thing once and in one order: seen, credited, reversed, final.",
    example: {
      path: "/api/wallet/events?after=41",
      answer: {
        events: [
          {
            cursor: "42",
            kind: "credited",
            txid: "ab".repeat(32),
            output: 0,
            amount_sompi: "250000000",
            amount_sompi_exact: "250000000",
            recipient:
              "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463",
            memo: "customer 4711",
            memo_known: true,
            daa_score: 811_000,
            blue_score: 803_900,
            accepting_block: "cd".repeat(32),
            unix: 1_785_099_000,
          },
        ],
        next: "42",
        more: false,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletHistoryMs,
  }),
} as const;
