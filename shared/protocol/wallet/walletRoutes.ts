/**
 * The table of the wallet API: one row for each call that is served. Server, typed client, OpenAPI document and reference page
 * are made from it, and the server has a handler for each row.
 */
import type * as v from "valibot";
import { ADMIN_ROUTES } from "./routes/adminRoutes.ts";
import { DEVICE_ROUTES } from "./routes/deviceRoutes.ts";
import { DISCLOSURE_ROUTES } from "./routes/disclosureRoutes.ts";
import { EVENT_ROUTES } from "./routes/eventRoutes.ts";
import { JOB_ROUTES } from "./routes/jobRoutes.ts";
import { KEY_ROUTES } from "./routes/keyRoutes.ts";
import type { NumberText } from "./numberText.ts";
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
export type RouteInput<R extends RouteName> = {
  readonly params: v.InferInput<WalletRoutes[R]["params"]>;
  readonly query: v.InferInput<WalletRoutes[R]["query"]>;
  readonly body: v.InferInput<WalletRoutes[R]["body"]>;
};

/** The answer as a client reads it. */
export type RouteResult<R extends RouteName> = v.InferOutput<WalletRoutes[R]["answer"]>;

type Primitive = string | number | bigint | boolean | null | undefined;

/** What is only read, to its last list. */
type Frozen<T> = unknown extends T
  ? T
  : T extends Primitive | NumberText
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Frozen<Item>[]
      : { readonly [K in keyof T]: Frozen<T[K]> };

type Written<In, Out> = {
  readonly [K in keyof Out]: K extends keyof In
    ? Frozen<undefined extends Out[K] ? In[K] : Exclude<In[K], undefined>>
    : never;
};

/** The answer as a handler writes it: what a client may find absent is always there. */
export type RouteAnswer<R extends RouteName> = Written<
  v.InferInput<WalletRoutes[R]["answer"]>,
  v.InferOutput<WalletRoutes[R]["answer"]>
>;
