/** Takes peers in: a gRPC server whose streams become wires. */
import {
  logVerbosity,
  Metadata,
  Server,
  setLogVerbosity,
  status,
  type ServerDuplexStream,
} from "@grpc/grpc-js";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { bindGrpc } from "../../platform/bindGrpc.ts";
import { GrpcWire } from "./grpcWire.ts";
import { peerServiceDefinition } from "./peerStream.ts";
import type { RemoteAddress, Wire } from "./wire.ts";

/** What the listener works with. */
export type GrpcListenerParts = {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Whether a peer from this address may come in now; asked before anything is said to it. */
  readonly admits: (remote: RemoteAddress) => boolean;
  readonly onWire: (wire: Wire) => void;
  /** Milliseconds for the last words of a wire; `LIMITS.p2pCloseMs` when left out. */
  readonly closeMs?: number;
};

/** A running listener. */
export type GrpcListener = {
  readonly port: number;
  /** Stops listening and cuts open streams off. Calling it again waits for the same stop. */
  stop(): Promise<void>;
};

/** Starts the listener. Rejects with `node/port-in-use`. */
export async function startGrpcListener(parts: GrpcListenerParts): Promise<GrpcListener> {
  setLogVerbosity(logVerbosity.NONE);
  const server = new Server({
    "grpc.max_receive_message_length": LIMITS.p2pPageBytes,
    "grpc.max_send_message_length": -1,
    "grpc.keepalive_time_ms": LIMITS.p2pKeepaliveMs,
    "grpc.keepalive_timeout_ms": LIMITS.p2pKeepaliveMs,
  });
  server.addService(peerServiceDefinition, {
    messageStream: (stream: ServerDuplexStream<Uint8Array, Uint8Array>) => take(stream, parts),
  });
  const port = await bindGrpc(server, parts.host, parts.port);
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => server.forceShutdown();
  return { port, stop: () => (stopping ??= stop()) };
}

function take(stream: ServerDuplexStream<Uint8Array, Uint8Array>, parts: GrpcListenerParts): void {
  const remote = remoteOf(stream.getPeer());
  if (remote === null || !parts.admits(remote)) {
    stream.emit("error", { code: status.UNAVAILABLE, details: "no peers are taken in now" });
    return;
  }
  const wire = new GrpcWire(
    { remote, isOutbound: false, closeMs: parts.closeMs },
    {
      write: (bytes) => stream.write(bytes),
      end: () => stream.end(),
      cut: () => stream.destroy(),
    },
  );
  // The dialer waits for the headers before it says anything.
  stream.sendMetadata(new Metadata());
  stream.on("data", (bytes: Uint8Array) => wire.arrived(bytes));
  stream.on("drain", () => wire.drained());
  stream.on("error", () => wire.closed(null));
  for (const event of ["end", "cancelled", "close"]) stream.on(event, () => wire.closed(null));
  parts.onWire(wire);
}

/** From `1.2.3.4:5` or `[::1]:5`; an IPv4 address in IPv6 form is the IPv4 address. */
function remoteOf(peer: string): RemoteAddress | null {
  const [, ip = "", port = ""] = /^\[?([0-9a-fA-F:.]+)\]?:(\d+)$/.exec(peer) ?? [];
  if (ip === "") return null;
  return { ip: ip.replace(/^::ffff:(?=\d+\.)/i, ""), port: Number(port) };
}
