/** Routes of the deposit feed, and of its deliveries to a webhook. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { flag, hex, integer, sompi, text, txid, word } from "../../contract/answerFields.ts";
import { queryCount, queryFlag, textField, u64Field } from "../../contract/requestFields.ts";
import { route } from "../route.ts";

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

const delivery = v.object({
  /** Names the event to the receiver. */
  id: text,
  /** The feed's entry that it delivers; pass it as `after` to get what follows. */
  cursor: text,
  state: word(["waiting", "delivered", "dead"]),
  /** Tries that have failed. */
  attempts: integer,
  created_unix: integer,
  /** When it is tried next; null unless it waits. */
  due_unix: v.nullable(integer),
  /** Why the last try failed; null when none did. */
  error: v.nullable(v.object({ error: text, code: text })),
});

const EVENT_ID = `evt_${"0".repeat(15)}2a${"5e".repeat(11)}5`;

const EXAMPLE_DELIVERY = {
  id: EVENT_ID,
  cursor: "42",
  state: "dead",
  attempts: 14,
  created_unix: 1_785_099_000,
  due_unix: null,
  error: { error: "The receiver of the webhook answered 500.", code: "webhook/refused" },
} as const;

/** The rows. */
export const EVENT_ROUTES = {
  events: route({
    group: "events",
    method: "GET",
    path: "/api/wallet/events",
    credential: "token",
    scope: "view",
    query: v.object({
      after: v.optional(u64Field, "0"),
      limit: queryCount(PROTOCOL_LIMITS.eventRowsDefault, 1, PROTOCOL_LIMITS.eventRowsMax),
      /** Seconds to wait for an event where there is none yet. */
      wait: queryCount(0, 0, PROTOCOL_LIMITS.eventWaitSeconds),
    }),
    answer: v.object({ events: v.array(event), next: text, more: flag }),
    refusals: ["wallet/no-wallet", "wallet/cursor-ahead"],
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
  webhooks: route({
    group: "events",
    method: "GET",
    path: "/api/wallet/webhooks",
    credential: "token",
    scope: "view",
    query: v.object({
      after: v.optional(u64Field, "0"),
      limit: queryCount(PROTOCOL_LIMITS.webhookRowsDefault, 1, PROTOCOL_LIMITS.webhookRowsMax),
      /** Only dead letters. */
      dead: queryFlag,
    }),
    answer: v.object({ deliveries: v.array(delivery), next: text, more: flag }),
    refusals: ["wallet/no-wallet"],
    about:
      "Lists the deliveries of this wallet's feed to the webhook after a cursor; with `dead=1` those that were given up.",
    example: {
      path: "/api/wallet/webhooks?dead=1",
      answer: { deliveries: [EXAMPLE_DELIVERY], next: "42", more: false },
    },
    timeoutMs: PROTOCOL_LIMITS.walletHistoryMs,
  }),
  redeliver: route({
    group: "events",
    method: "POST",
    path: "/api/wallet/webhooks/{id}/redeliver",
    credential: "token",
    scope: "owner",
    params: v.object({ id: v.pipe(textField, v.regex(/^\w{1,64}$/, "the id of a delivery")) }),
    answer: delivery,
    refusals: ["wallet/no-wallet", "webhook/no-delivery", "webhook/not-set-up"],
    about: "Sends a delivery again, one that arrived too, under the same id.",
    example: {
      path: `/api/wallet/webhooks/${EVENT_ID}/redeliver`,
      answer: {
        ...EXAMPLE_DELIVERY,
        state: "waiting",
        attempts: 0,
        due_unix: 1_785_100_000,
        error: null,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    endsWithCaller: false,
  }),
} as const;
