/** What the server hands to those who answer: one handler for each row of the table. */
import type * as v from "valibot";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type {
  RouteAnswer,
  RouteName,
  WalletRoutes,
} from "@svc/shared/protocol/wallet/walletRoutes.ts";
import type { ScopedAccess } from "../spend/tokens/tokenBook.ts";
import type { TOKENS } from "./credentials.ts";

/** A request that has passed credential, schemas and quotas. */
export type WalletCall<R extends RouteName> = {
  /** Null for rows without a token, and for a status that was asked for without one. */
  readonly token: v.InferOutput<(typeof TOKENS)[WalletRoutes[R]["credential"]]>;
  /** The scoped token of the call; null for the wallet's own, and for none. */
  readonly scoped: ScopedAccess | null;
  readonly params: v.InferOutput<WalletRoutes[R]["params"]>;
  readonly query: v.InferOutput<WalletRoutes[R]["query"]>;
  readonly body: v.InferOutput<WalletRoutes[R]["body"]>;
  /** Null where the caller gave none. Only rows that spend look at it. */
  readonly idempotencyKey: string | null;
  /** Aborts when the daemon stops, and where the row says so when the caller leaves. */
  readonly signal: AbortSignal;
};

/** Answer of a call that was begun as a job (`?job=1`): 202 with the number of the job. */
export class StartedJob {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

/** An answer that is kept as it was written first: every repetition of its call gets the same bytes. */
export class KeptAnswer {
  /** JSON of the row's answer. */
  readonly body: string;

  constructor(body: string) {
    this.body = body;
  }
}

/** A refusal with fields of its own beside sentence and code, such as `txids` of a payment that went out in part. */
export class RefusalWith extends Error {
  readonly refusal: SvcError;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(refusal: SvcError, fields: Readonly<Record<string, unknown>>) {
    super(refusal.message, { cause: refusal });
    this.refusal = refusal;
    this.fields = fields;
  }
}

/** What a handler of a row may give. */
export type Handled<R extends RouteName> =
  | RouteAnswer<R>
  | (WalletRoutes[R]["lasts"] extends true ? StartedJob : never)
  | (WalletRoutes[R]["takesKey"] extends true ? KeptAnswer : never);

/** One handler for every row. Each may throw any error of the registry, or a `RefusalWith`. */
export type WalletHandlers = {
  readonly [R in RouteName]: (call: WalletCall<R>) => Promise<Handled<R>>;
};
