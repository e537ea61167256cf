/** Dispatches a call of the gRPC API to its handler, whatever transport brings it. */
import { grpcTextOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { blockHandlers } from "./blockHandlers.ts";
import { evidenceHandlers } from "./evidenceHandlers.ts";
import { infoHandlers } from "./infoHandlers.ts";
import { miningHandlers } from "./miningHandlers.ts";
import { peerHandlers } from "./peerHandlers.ts";
import { poolHandlers } from "./poolHandlers.ts";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import type { RpcError } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import { faultJson } from "./faultJson.ts";
import type { HandlerContext, Handlers, Method } from "./rpcMethods.ts";
import type { Requests, Responses } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { shieldedHandlers } from "./shieldedHandlers.ts";

const HANDLERS: Handlers<Method> = {
  ...infoHandlers,
  ...blockHandlers,
  ...miningHandlers,
  ...poolHandlers,
  ...peerHandlers,
  ...shieldedHandlers,
  ...evidenceHandlers,
};

/** A request of one of these methods. */
type Call<M extends Method = Method> = { [K in M]: { $case: K; value: Requests[K] } }[M];
type Answer<M extends Method = Method> = { [K in M]: { $case: K; value: Responses[K] } }[M];

/** Answers one call. What it rejects with is told to the client as `faultOf`. */
export async function answerRequest<M extends Method>(
  request: Call<M>,
  context: HandlerContext,
): Promise<Answer<M>> {
  const value = await HANDLERS[request.$case](request.value, context);
  return { $case: request.$case, value };
}

/** The error of a response. */
export function faultOf(thrown: unknown): RpcError {
  const json = thrown instanceof RpcFault ? thrown.json : faultJson(SvcError.from(thrown));
  return { message: faultText(thrown), json };
}

/** The error text of a response, or of the status that ends a stream. */
export function faultText(thrown: unknown): string {
  return thrown instanceof RpcFault ? thrown.message : grpcTextOf(SvcError.from(thrown));
}
