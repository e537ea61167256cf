/** Routes that tell how the daemon and a wallet are. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { coins, flag, integer, sompi, text } from "../../contract/answerFields.ts";
import { route } from "../route.ts";

const amount = v.optional(sompi, "0");
const display = v.optional(coins, "0");
const off = v.optional(flag, false);
const zero = v.optional(integer, 0);

/** Amounts of a wallet, each as exact sompi and as coins for people. An absent one counts as nothing. */
export const balanceFields = {
  balance_sompi: amount,
  balance_fc: display,
  spendable_sompi: amount,
  spendable_fc: display,
  maturing_sompi: amount,
  maturing_fc: display,
  pending_in_sompi: amount,
  pending_in_fc: display,
  pending_out_sompi: amount,
  pending_out_fc: display,
};

const status = v.object({
  has_wallet: off,
  address: v.optional(v.nullable(text), null),
  network: text,
  node_connected: off,
  daa_score: zero,
  sink_blue_score: zero,
  synced: off,
  warming: off,
  scanned_blocks: zero,
  chain_len: zero,
  ...balanceFields,
  note_count: zero,
  updated_unix: zero,
  error: v.optional(v.nullable(text), null),
  watch_only: off,
  missing_history: off,
  spend_ready: off,
  loading: off,
  blocks_behind: zero,
});

/** Amounts of an example. */
export const EXAMPLE_BALANCE = {
  balance_sompi: "1250000000",
  balance_fc: "12.50000000",
  spendable_sompi: "1000000000",
  spendable_fc: "10.00000000",
  maturing_sompi: "250000000",
  maturing_fc: "2.50000000",
  pending_in_sompi: "0",
  pending_in_fc: "0.00000000",
  pending_out_sompi: "0",
  pending_out_fc: "0.00000000",
};

const health = v.object({ ok: v.literal(true), service: v.literal("svc-walletd") });

const ALIVE = { ok: true, service: "svc-walletd" } as const;

/** The rows. */
export const STATUS_ROUTES = {
  health: route({
    group: "status",
    method: "GET",
    path: "/health",
    credential: "none",
    scope: "any",
    answer: health,
    about: "Tells that the daemon answers; needs neither token nor bearer.",
    example: { answer: ALIVE },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  live: route({
    group: "status",
    method: "GET",
    path: "/health/live",
    credential: "none",
    scope: "any",
    answer: health,
    about: "Tells that the process is alive, for who restarts it when it is not.",
    example: { answer: ALIVE },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  ready: route({
    group: "status",
    method: "GET",
    path: "/health/ready",
    credential: "none",
    scope: "any",
    answer: v.object({
      ready: flag,
      reasons: v.array(text),
      node_connected: flag,
      wallets: v.array(v.object({ wallet: text, blocks_behind: integer, synced: flag })),
    }),
    about:
      "Tells whether payments can be served, with the lag of each open wallet by its label, which tells nobody its token or address; 503 with the same answer while they cannot.",
    example: {
      answer: {
        ready: false,
        reasons: ["The node does not answer."],
        node_connected: false,
        wallets: [],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    tellsReadiness: true,
  }),
  status: route({
    group: "status",
    method: "GET",
    path: "/api/status",
    credential: "token-if-given",
    scope: "view",
    answer: status,
    about:
      "Tells the state of a wallet at once, without asking the node: the call to poll; a payment may be sent while `spend_ready` is true.",
    example: {
      answer: {
        has_wallet: true,
        address:
          "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463",
        network: "mainnet",
        node_connected: true,
        daa_score: 812_345,
        sink_blue_score: 805_120,
        synced: true,
        warming: false,
        scanned_blocks: 812_140,
        chain_len: 812_345,
        ...EXAMPLE_BALANCE,
        note_count: 3,
        updated_unix: 1_785_100_000,
        error: null,
        watch_only: false,
        missing_history: false,
        spend_ready: true,
        loading: false,
        blocks_behind: 205,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
} as const;
