/** The one gRPC method of RPC clients: a stream of envelopes both ways. */
import type { ServiceDefinition } from "@grpc/grpc-js";
import { bytesStream } from "../../platform/bytesStream.ts";

/** Its definition. */
export const messageStream = bytesStream("/protowire.RPC/MessageStream");

/** The service that holds it. */
export const rpcServiceDefinition: ServiceDefinition = { messageStream };
