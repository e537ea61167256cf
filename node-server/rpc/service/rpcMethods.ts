/** The methods of the gRPC API by name, with the types of their requests, responses and handlers. */
import type { Requests, Responses } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import type { WorkSource } from "../../engine/verify/workRateLimiter.ts";
import type { NodeApi } from "./nodeApi.ts";

/** Subscribe methods, which begin or end a stream of notifications; the connection answers them itself. */
export type NotifyMethod = Extract<keyof Requests, `notify${string}`>;
/** Methods with one request and one response. */
export type Method = Exclude<keyof Requests, NotifyMethod>;

/** Dependencies of a handler. */
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

/** Handlers of some methods. */
export type Handlers<M extends Method> = { readonly [K in M]: Handler<K> };
