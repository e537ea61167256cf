/** The one gRPC method of peers: a stream of envelopes both ways. */
import type { ServiceDefinition } from "@grpc/grpc-js";
import { bytesStream } from "../../platform/bytesStream.ts";

/** Its definition. */
export const peerStream = bytesStream("/protowire.P2P/MessageStream");

/** The service that holds it. */
export const peerServiceDefinition: ServiceDefinition = { messageStream: peerStream };
