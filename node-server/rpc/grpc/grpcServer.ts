/** The node's gRPC server: cleartext HTTP/2, no authentication, bound to loopback unless told otherwise. */
import {
  logVerbosity,
  Server,
  setLogVerbosity,
  status,
  type Metadata,
  type ServerInterceptor,
} from "@grpc/grpc-js";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { encodeResponse } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { GatedServerCall, ReadGate } from "../../p2p/link/readGate.ts";
import { authority } from "../../platform/net/authority.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { FairConnectionLimit } from "../../platform/net/fairConnectionLimit.ts";
import { guarded, logFault } from "../../platform/net/guarded.ts";
import type { Log } from "../../platform/log/log.ts";
import type { NodeApi } from "../service/nodeApi.ts";
import { GrpcConnection, type RawStream } from "./grpcConnection.ts";
import { takeConnections } from "./grpcConnections.ts";
import { rpcServiceDefinition } from "../../client/messageStream.ts";
import { NotificationRenderings } from "./notificationRenderings.ts";
import { renderNotification } from "./renderNotification.ts";
import { SendBuffers } from "./sendBuffers.ts";

/** Dependencies and settings of the server. */
export type GrpcServerParts = {
  readonly node: NodeApi;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Bounds what clients leave unread; of this server alone where left out. */
  readonly outlets?: SendBuffers;
  /** Connections at once; `RPC_LIMITS.grpcConnections` where left out. */
  readonly connections?: number;
};

/** A running server. */
export type GrpcServer = {
  /** Where it listens, `host:port`. */
  readonly address: string;
  /** Refuses new streams, ends open ones, stops listening. Calling it again waits for the same stop. */
  stop(): Promise<void>;
};

const STOPPING = "the node is stopping";

/** Starts the server. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function startGrpcServer({
  node,
  host,
  port,
  clock,
  log,
  outlets = new SendBuffers(clock),
  connections: most = RPC_LIMITS.grpcConnections,
}: GrpcServerParts): Promise<GrpcServer> {
  // What goes wrong is reported by our own log and errors.
  setLogVerbosity(logVerbosity.NONE);
  const connections = new Set<GrpcConnection>();
  let stopping: Promise<void> | null = null;
  const gates = new WeakMap<Metadata, ReadGate>();
  const server = newServer(gates);
  const places = new FairConnectionLimit<GrpcConnection>({
    total: RPC_LIMITS.grpcClients,
    perHost: RPC_LIMITS.grpcClients,
  });
  const over = new AbortController();
  const renderings = renderingsOf(node, over.signal);
  const parts = { node, clients: () => connections.size, clock, log, outlets, renderings };
  const serve = (stream: RawStream): void => {
    const gate = gates.get(stream.metadata) ?? new ReadGate();
    const connection = new GrpcConnection(parts, stream, gate);
    if (stopping !== null) return connection.refuse(status.UNAVAILABLE, STOPPING);
    const place = places.enter(connection.source, connection);
    if (!place.entered) return connection.refuse(status.RESOURCE_EXHAUSTED, "full capacity");
    place.evicted?.fail(status.RESOURCE_EXHAUSTED, "full capacity");
    connections.add(connection);
    log.debug({ clients: connections.size }, "a gRPC client came");
    connection.start(() => {
      connections.delete(connection);
      places.leave(connection.source, connection);
    });
  };
  const onFault = (fault: SvcError, stream: RawStream): void => {
    stream.destroy();
    logFault(log, fault);
  };
  server.addService(rpcServiceDefinition, { messageStream: guarded(serve, onFault) });
  const door = await takeConnections(server, {
    host,
    port,
    connections: most,
    onFault: (fault) => logFault(log, fault),
  });
  const unsubscribe = node.onEvent((news) => {
    for (const connection of connections) connection.tell(news);
  });
  const stop = async (): Promise<void> => {
    unsubscribe();
    for (const connection of connections) connection.fail(status.UNAVAILABLE, STOPPING);
    over.abort();
    door.close();
    await shutDown(server);
  };
  return { address: authority(host, door.port), stop: () => (stopping ??= stop()) };
}

/** What all clients are told of; the signal ends the questions to the node. */
function renderingsOf(node: NodeApi, signal: AbortSignal): NotificationRenderings {
  return new NotificationRenderings(async (news, form) =>
    // Clients match replies by id; news answer nothing.
    encodeResponse(0n, await renderNotification(news, form, { node, signal })),
  );
}

/** The library's server, within our bounds, with a gate for each call. */
function newServer(gates: WeakMap<Metadata, ReadGate>): Server {
  return new Server({
    interceptors: [gateEach(gates)],
    "grpc.max_receive_message_length": RPC_LIMITS.grpcRequestBytes,
    "grpc.max_send_message_length": -1,
    "grpc.keepalive_time_ms": RPC_LIMITS.grpcKeepaliveMs,
    "grpc.keepalive_timeout_ms": RPC_LIMITS.grpcKeepaliveMs,
  });
}

/**
 * Puts a gate before the reading of each call: the library would read sixteen messages ahead of a client that is not
 * listened to.
 */
function gateEach(gates: WeakMap<Metadata, ReadGate>): ServerInterceptor {
  return (_method, call) => {
    const gate = new ReadGate();
    return new GatedServerCall(call, gate, (metadata) => gates.set(metadata, gate));
  };
}

/** Waits for open streams to carry their last words, for a bounded time. */
function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, PLATFORM_LIMITS.stopMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}
