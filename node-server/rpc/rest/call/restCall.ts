/** Types of a call of the public REST interface and of its answers: a document, one with a depth, or a 404 with its reason. */
import type * as v from "valibot";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { MissingReason } from "@svc/shared/protocol/rest/missingReason.ts";
import type {
  REST_ROUTES,
  RestAnswer,
  RestRouteName,
} from "@svc/shared/protocol/rest/restRoutes.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import type { RestSession } from "./restSession.ts";

type Row<R extends RestRouteName> = (typeof REST_ROUTES)[R];

/** One call, its parts read by the schemas of its row. */
export type RestCall<R extends RestRouteName = RestRouteName> = {
  readonly node: NodeApi;
  readonly session: RestSession;
  readonly params: v.InferOutput<Row<R>["params"]>;
  readonly query: v.InferOutput<Row<R>["query"]>;
  readonly body: v.InferOutput<Row<R>["body"]>;
  readonly signal: AbortSignal;
};

/** A document about something that lies below the sink, and changes the less the deeper it lies. */
export class DeepAnswer<T> {
  readonly document: T;
  /** By how much the blue score of the sink is above its own; null while no block of the chain holds it. */
  readonly depth: bigint | null;

  constructor(document: T, depth: bigint | null) {
    this.document = document;
    this.depth = depth;
  }
}

/** Answers 404, with the reason in the field `reason`. */
export class MissingAnswer {
  readonly error: SvcError<"chain/unknown-block" | "chain/unknown-transaction" | "chain/pruned">;
  readonly reason: MissingReason;

  constructor(error: MissingAnswer["error"], reason: MissingReason) {
    this.error = error;
    this.reason = reason;
  }
}

/**
 * A handler. It rejects with `run/aborted` when the signal of its call fires, and as a question to the engine does.
 */
export type RestHandler<R extends RestRouteName> = (
  call: RestCall<R>,
) => Promise<RestAnswer<R> | DeepAnswer<RestAnswer<R>> | MissingAnswer>;

/** Handlers of some rows. */
export type RestHandlersOf<R extends RestRouteName> = { readonly [N in R]: RestHandler<N> };
