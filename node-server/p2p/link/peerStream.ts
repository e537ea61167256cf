/** The one gRPC method of the peer protocol: a bidirectional stream of envelopes. */
import type { ServiceDefinition } from "@grpc/grpc-js";
import { bytesStream } from "../../platform/net/bytesStream.ts";

/** Definition of the method. */
export const peerStream = bytesStream("/protowire.P2P/MessageStream");

/** The gRPC service with this method. */
export const peerServiceDefinition: ServiceDefinition = { messageStream: peerStream };
