/** The peer listener: accepts inbound connections on the node's own port and makes a wire of each gRPC stream. */
import { createServer, type Socket } from "node:net";
import {
  logVerbosity,
  Metadata,
  Server,
  ServerCredentials,
  setLogVerbosity,
  status,
  type ServerDuplexStream,
  type ServerInterceptor,
} from "@grpc/grpc-js";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { systemClock, type Clock } from "../../platform/time/clock.ts";
import { guarded } from "../../platform/net/guarded.ts";
import { listenAt } from "../../platform/net/listenAt.ts";
import {
  ConnectionLimiter,
  CONNECTION_LIMITS,
  plainIp,
  type ConnectionLimits,
} from "./connectionLimiter.ts";
import { GrpcWire } from "./grpcWire.ts";
import { peerServiceDefinition } from "./peerStream.ts";
import { GatedServerCall, ReadGate } from "./readGate.ts";
import { widenWindows } from "./streamWindow.ts";
import { faultOf, type FaultSide, type StreamStatus } from "./streamFault.ts";
import type { RemoteAddress, Wire } from "./wire.ts";

/** Dependencies and settings of the listener. */
export type GrpcListenerParts = {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Whether a peer from this address may come in now; asked when it opens a stream, before anything is said to it. */
  readonly admits: (remote: RemoteAddress) => boolean;
  /** Whether a host is cut off before it can say anything, because it is banned; asked for each connection. */
  readonly refuses?: (ip: string) => boolean;
  readonly onWire: (wire: Wire) => void;
  /** Milliseconds for the last words of a wire; `P2P_LIMITS.p2pCloseMs` when left out. */
  readonly closeMs?: number;
  /** Hears of a fault of ours that ended a connection before it had a wire; one with a wire hears of it itself. */
  readonly onFault?: (fault: SvcError) => void;
  /** What connections may cost; `CONNECTION_LIMITS` where left out. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Measures what the limits say; the machine's clock when left out. */
  readonly clock?: Clock;
};

/** A running listener. */
export type GrpcListener = {
  readonly port: number;
  /** Connections that are open, with and without a stream. */
  readonly connections: () => number;
  /** Stops listening and cuts all connections. Calling it again waits for the same stop. */
  stop(): Promise<void>;
};

/** What is known of a call beside its stream. */
type CallFacts = {
  readonly gate: ReadGate;
  /** How the library ended it; null before. */
  ended: StreamStatus | null;
};

type Stream = ServerDuplexStream<Uint8Array, Uint8Array>;
const SIDE: FaultSide = { isOutbound: false, max: P2P_LIMITS.p2pPageBytes };
type Facts = WeakMap<Metadata, CallFacts>;

/** Starts the listener. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function startGrpcListener(parts: GrpcListenerParts): Promise<GrpcListener> {
  setLogVerbosity(logVerbosity.NONE);
  const { refuses = () => false, limits, clock = systemClock } = parts;
  const net = createServer({ noDelay: true });
  const { host, onFault: heard = () => undefined } = parts;
  const port = await listenAt(net, { host, port: parts.port, option: "--listen" }, heard);
  const door = new ConnectionLimiter({
    refuses,
    limits: { ...CONNECTION_LIMITS, ...limits },
    clock,
  });
  const narrow = widenWindows(port, P2P_LIMITS.p2pInboundWindowBytes);
  const grpc = newServer({ ...parts, door, facts: new WeakMap() });
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const enter = (socket: Socket): void => {
    if (door.enter(socket)) injector.injectConnection(socket);
  };
  const onFault = (fault: SvcError, socket: Socket): void => {
    socket.destroy();
    parts.onFault?.(fault);
  };
  net.on("connection", guarded(enter, onFault));
  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => net.close(() => resolve()));
    narrow();
    door.close();
    grpc.forceShutdown();
    await closed;
  };
  let stopping: Promise<void> | null = null;
  return { port, connections: () => door.size, stop: () => (stopping ??= stop()) };
}

function newServer(taking: Taking): Server {
  const grpc = new Server({
    "grpc.max_receive_message_length": SIDE.max,
    "grpc.max_send_message_length": -1,
    "grpc.max_concurrent_streams": 1,
    "grpc.keepalive_time_ms": P2P_LIMITS.p2pKeepaliveMs,
    "grpc.keepalive_timeout_ms": P2P_LIMITS.p2pKeepaliveMs,
    interceptors: [watch(taking.facts)],
  });
  grpc.addService(peerServiceDefinition, {
    messageStream: guarded(
      (stream: Stream) => take(stream, taking),
      (fault, stream) => {
        stream.destroy();
        taking.onFault?.(fault);
      },
    ),
  });
  return grpc;
}

/** Puts a gate before the reading of each call, and hears how the library ends it: the stream itself does not say. */
function watch(facts: Facts): ServerInterceptor {
  return (_method, call) => {
    const known: CallFacts = { gate: new ReadGate(), ended: null };
    const sendStatus = call.sendStatus.bind(call);
    call.sendStatus = (ended) => {
      known.ended ??= ended;
      sendStatus(ended);
    };
    return new GatedServerCall(call, known.gate, (metadata) => facts.set(metadata, known));
  };
}

type Taking = GrpcListenerParts & { readonly door: ConnectionLimiter; readonly facts: Facts };

function take(stream: Stream, { door, facts, ...parts }: Taking): void {
  const remote = remoteOf(stream.getPeer());
  const known = facts.get(stream.metadata);
  if (remote === null || known === undefined || !parts.admits(remote)) {
    stream.emit("error", { code: status.UNAVAILABLE, details: "no peers are taken in now" });
    return;
  }
  const { heard, over, cut } = door.opened(remote);
  const wire = new GrpcWire(
    { remote, isOutbound: false, closeMs: parts.closeMs },
    {
      write: (bytes, onSent) => stream.write(bytes, onSent),
      end: () => stream.end(),
      // The stream alone would be gone here and stay open for the other side.
      cut,
      gate: known.gate,
    },
  );
  // The dialer waits for the headers before it says anything.
  stream.sendMetadata(new Metadata());
  const onFault = (fault: SvcError): void => {
    cut();
    wire.closed(fault);
  };
  const arrived = (bytes: Uint8Array): void => {
    heard();
    wire.arrived(bytes);
  };
  const gone = (): void => {
    wire.closed(known.ended === null ? null : faultOf(known.ended, SIDE));
    over();
  };
  stream.on("data", guarded(arrived, onFault));
  for (const event of ["error", "cancelled", "close"]) stream.on(event, guarded(gone, onFault));
  // Whoever says nothing more has ended the link, though it might still hear.
  const ended = (): void => {
    gone();
    stream.end();
  };
  stream.on("end", guarded(ended, onFault));
  parts.onWire(wire);
}

/** From `1.2.3.4:5` or `[::1]:5`. */
function remoteOf(peer: string): RemoteAddress | null {
  const [, ip = "", port = ""] = /^\[?([0-9a-fA-F:.]+)\]?:(\d+)$/.exec(peer) ?? [];
  return ip === "" ? null : { ip: plainIp(ip), port: Number(port) };
}
