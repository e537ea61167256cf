/** The calls of the gRPC stream by name, with the types of their requests and responses. */
import type { RequestPayload, ResponsePayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import type { WorkSource } from "../../consensus/expensiveWork.ts";
import type { NodeApi } from "./nodeApi.ts";

/** Requests by method. */
export type Requests = { [P in RequestPayload as P["$case"]]: P["value"] };
/** Responses and notifications by method. */
export type Responses = { [P in ResponsePayload as P["$case"]]: P["value"] };

/** Calls that begin or end a stream of notifications; the connection answers them itself. */
export type NotifyMethod = Extract<keyof Requests, `notify${string}`>;
/** Calls that are one question and one answer. */
export type Method = Exclude<keyof Requests, NotifyMethod>;

/** What a handler works with. */
export type HandlerContext = {
  readonly node: NodeApi;
  /** Number of gRPC clients. */
  readonly clients: () => number;
  /** Who calls, for the rates of costly work. */
  readonly source: WorkSource;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
};

/** Answers one call. Whatever it throws becomes the response's error. */
export type Handler<M extends Method> = (
  request: Requests[M],
  context: HandlerContext,
) => Promise<Responses[M]> | Responses[M];

/** Handlers of some calls. */
export type Handlers<M extends Method> = { readonly [K in M]: Handler<K> };
