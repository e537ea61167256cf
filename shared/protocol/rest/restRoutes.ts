/**
 * The table of the public REST interface: one row for each call. Node, edge and OpenAPI document are made from it. Its paths
 * stand below `/api`.
 */
import type { AnswerOf } from "../contract/routeTypes.ts";
import { CHAIN_ROUTES } from "./routes/chainRoutes.ts";
import { SUPPLY_ROUTES } from "./routes/supplyRoutes.ts";

/** The rows by their names. */
export const REST_ROUTES = { ...CHAIN_ROUTES, ...SUPPLY_ROUTES } as const;

/** Name of a row. */
export type RestRouteName = keyof typeof REST_ROUTES;

/** The answer as a handler writes it. */
export type RestAnswer<R extends RestRouteName> = AnswerOf<(typeof REST_ROUTES)[R]>;
