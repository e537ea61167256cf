/**
 * The table of the wallet API: one row for each call that is served. Server, typed client, OpenAPI document and reference page
 * are made from it, and the server has a handler for each row.
 */
import type { AnswerOf, InputOf, ResultOf } from "../contract/routeTypes.ts";
import { ADMIN_ROUTES } from "./routes/adminRoutes.ts";
import { DEVICE_ROUTES } from "./routes/deviceRoutes.ts";
import { DISCLOSURE_ROUTES } from "./routes/disclosureRoutes.ts";
import { EVENT_ROUTES } from "./routes/eventRoutes.ts";
import { JOB_ROUTES } from "./routes/jobRoutes.ts";
import { KEY_ROUTES } from "./routes/keyRoutes.ts";
import { PAYOUT_ROUTES } from "./routes/payoutRoutes.ts";
import { SCAN_ROUTES } from "./routes/scanRoutes.ts";
import { SPEND_ROUTES } from "./routes/spendRoutes.ts";
import { STATUS_ROUTES } from "./routes/statusRoutes.ts";
import { TOKEN_ROUTES } from "./routes/tokenRoutes.ts";

/** The rows by their names. */
export const WALLET_ROUTES = {
  ...STATUS_ROUTES,
  ...KEY_ROUTES,
  ...SCAN_ROUTES,
  ...SPEND_ROUTES,
  ...DEVICE_ROUTES,
  ...DISCLOSURE_ROUTES,
  ...JOB_ROUTES,
  ...EVENT_ROUTES,
  ...TOKEN_ROUTES,
  ...PAYOUT_ROUTES,
  ...ADMIN_ROUTES,
} as const;

/** The table. */
export type WalletRoutes = typeof WALLET_ROUTES;
/** Name of a row. */
export type RouteName = keyof WalletRoutes;

/** The parts of a request as a client writes them. */
export type RouteInput<R extends RouteName> = InputOf<WalletRoutes[R]>;

/** The answer as a client reads it. */
export type RouteResult<R extends RouteName> = ResultOf<WalletRoutes[R]>;

/** The answer as a handler writes it: what a client may find absent is always there. */
export type RouteAnswer<R extends RouteName> = AnswerOf<WalletRoutes[R]>;
