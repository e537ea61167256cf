/**
 * The table of the public REST interface: one row for each call. Node, edge and OpenAPI document are made from it. Its paths
 * stand below `/api`.
 */
import type { AnswerOf } from "../contract/routeTypes.ts";
import { BLOCK_ROUTES } from "./routes/blockRoutes.ts";
import { CHAIN_ROUTES } from "./routes/chainRoutes.ts";
import { CHECK_ROUTES } from "./routes/checkRoutes.ts";
import { EVIDENCE_ROUTES } from "./routes/evidenceRoutes.ts";
import { HISTORY_ROUTES } from "./routes/historyRoutes.ts";
import { MINING_ROUTES } from "./routes/miningRoutes.ts";
import { NETWORK_ROUTES } from "./routes/networkRoutes.ts";
import { SUPPLY_ROUTES } from "./routes/supplyRoutes.ts";
import { TRANSACTION_INDEX_ROUTES, TRANSACTION_ROUTES } from "./routes/transactionRoutes.ts";

/** The rows by their names. */
export const REST_ROUTES = {
  ...CHAIN_ROUTES,
  ...BLOCK_ROUTES,
  // Paths of words go before those that take an id in their place.
  ...TRANSACTION_INDEX_ROUTES,
  ...TRANSACTION_ROUTES,
  ...NETWORK_ROUTES,
  ...HISTORY_ROUTES,
  ...MINING_ROUTES,
  ...SUPPLY_ROUTES,
  ...CHECK_ROUTES,
  ...EVIDENCE_ROUTES,
} as const;

/** Name of a row. */
export type RestRouteName = keyof typeof REST_ROUTES;

/** The answer as a handler writes it. */
export type RestAnswer<R extends RestRouteName> = AnswerOf<(typeof REST_ROUTES)[R]>;
