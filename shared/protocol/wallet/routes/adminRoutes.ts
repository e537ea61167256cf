/** Routes of an operator who warms a daemon up after its start. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { flag, integer, word } from "../../contract/answerFields.ts";
import { route } from "../route.ts";

/** The rows. */
export const ADMIN_ROUTES = {
  warmChainTree: route({
    group: "status",
    method: "POST",
    path: "/api/admin/warm_chain_tree",
    credential: "token",
    scope: "any",
    answer: v.object({
      leaves_before: integer,
      leaves_after: integer,
      leaves_gained: integer,
      /** The shared tree has all leaves that the node told of. */
      caught_up: flag,
      /** Witnesses are kept up with each block: they are ready with the tree. */
      subtree_cache_ready: flag,
      subtree_cache_state: word(["ready", "building", "started"]),
      /** Looks at the tree between which it grew. */
      chunks: integer,
      chain_tip_daa: integer,
      seconds: integer,
    }),
    about:
      "Waits up to 90 s until the note tree that all wallets share has caught up with the chain, and tells how far it is; any token will do.",
    example: {
      answer: {
        leaves_before: 180_000,
        leaves_after: 201_344,
        leaves_gained: 21_344,
        caught_up: true,
        subtree_cache_ready: true,
        subtree_cache_state: "ready",
        chunks: 12,
        chain_tip_daa: 812_345,
        seconds: 14,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletWatchMs,
  }),
  warmWallet: route({
    group: "status",
    method: "POST",
    path: "/api/admin/warm_wallet",
    credential: "token",
    scope: "view",
    answer: v.object({
      /** The wallet is at the tip, and no payment computes a witness. */
      subtree_cache_ready: flag,
      /** Unspent ones. */
      notes: integer,
      /** Under the newest anchor that a payment may have. */
      matured_leaves: integer,
      seconds: integer,
    }),
    refusals: ["wallet/no-wallet"],
    about: "Opens a wallet and waits up to 90 s until it can pay, and tells how far it is.",
    example: {
      answer: { subtree_cache_ready: true, notes: 3, matured_leaves: 200_910, seconds: 2 },
    },
    timeoutMs: PROTOCOL_LIMITS.walletWatchMs,
  }),
} as const;
