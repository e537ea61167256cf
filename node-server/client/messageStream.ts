/** The one gRPC method of the RPC API: a bidirectional stream of envelopes. */
import type { ServiceDefinition } from "@grpc/grpc-js";
import { bytesStream } from "../platform/net/bytesStream.ts";

/** Definition of the method. */
export const messageStream = bytesStream("/protowire.RPC/MessageStream");

/** The gRPC service with this method. */
export const rpcServiceDefinition: ServiceDefinition = { messageStream };
