/** Dials peers over gRPC: a stream to an address, perhaps through a proxy, becomes a wire. */
import {
  Client,
  connectivityState,
  Metadata,
  type ClientDuplexStream,
  type StatusObject,
} from "@grpc/grpc-js";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { authority } from "../../platform/net/authority.ts";
import { isName } from "../../platform/net/netAddress.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { guarded } from "../../platform/net/guarded.ts";
import type { PartialMessages } from "./partialMessages.ts";
import { DialledSocket, type Preface } from "./dialledSocket.ts";
import { GrpcWire } from "./grpcWire.ts";
import { peerStream } from "./peerStream.ts";
import { hostAddress, openTunnel, type ProxyAddress } from "./proxyTunnel.ts";
import { gatedCalls, ReadGate } from "./readGate.ts";
import { faultOf, type FaultSide } from "./streamFault.ts";
import type { RemoteAddress, Wire } from "./wire.ts";

/** The number of gzip among the compressions of the library. */
const GZIP = 2;
/** Flag of a message that is sent as it is. */
const NOT_COMPRESSED = "2";

const SIDE: FaultSide = { isOutbound: true, max: P2P_LIMITS.p2pProofBytes };

type Stream = ClientDuplexStream<Uint8Array, Uint8Array>;

/** Timeouts of dialling, in milliseconds: for the connection, for the stream, and for the last words. */
export type DialLimits = {
  readonly connectMs: number;
  readonly openMs: number;
  readonly closeMs: number;
};

const DIAL_LIMITS: DialLimits = {
  connectMs: P2P_LIMITS.p2pConnectMs,
  openMs: P2P_LIMITS.p2pOpenMs,
  closeMs: P2P_LIMITS.p2pCloseMs,
};

/** The limits where a proxy connects. */
const PROXY_LIMITS: DialLimits = { ...DIAL_LIMITS, connectMs: P2P_LIMITS.p2pProxyMs };

/** How a peer is dialled; what is left out has its usual value. */
export type DialOptions = {
  readonly limits?: DialLimits;
  /** Bounds what of messages has come and is not whole, over all that are dialled. */
  readonly begun?: PartialMessages;
  /** Connects to the peer in our place, and looks its name up; null where this node does so. */
  readonly proxy?: ProxyAddress | null;
};

/**
 * Opens a stream to a peer. Resolves when the peer has accepted it. Rejects with `p2p/unreachable`, also when it takes
 * longer than it may, for what a proxy says, and for a name without a proxy: names are never looked up here. Rejects with
 * `run/aborted` too.
 */
export async function dialPeer(
  remote: RemoteAddress,
  signal: AbortSignal,
  { begun, proxy = null, limits = proxy === null ? DIAL_LIMITS : PROXY_LIMITS }: DialOptions = {},
): Promise<Wire> {
  throwIfAborted(signal);
  const address = authority(remote.ip, remote.port);
  if (proxy === null && isName(remote.ip)) throw unreachable(address, "a name needs a proxy");
  const first = proxy ?? { host: remote.ip, port: remote.port };
  const target = authority(await abortable(hostAddress(first.host), signal), first.port);
  const preface: Preface | null =
    proxy === null ? null : (socket) => openTunnel(socket, remote, limits.connectMs);
  const connection = new DialledSocket(begun ?? null, preface);
  const client = new Client(target, connection.credentials, {
    // Calls name the peer, whoever connects to it.
    "grpc.default_authority": address,
    // Nothing is looked up beside the connection.
    "grpc.service_config_disable_resolution": 1,
    "grpc.max_receive_message_length": SIDE.max,
    "grpc.max_send_message_length": -1,
    "grpc.keepalive_time_ms": P2P_LIMITS.p2pKeepaliveMs,
    "grpc.keepalive_timeout_ms": P2P_LIMITS.p2pKeepaliveMs,
    "grpc.default_compression_algorithm": GZIP,
    "grpc.enable_retries": 0,
    "grpc.enable_http_proxy": 0,
    "grpc-node.flow_control_window": P2P_LIMITS.p2pWindowBytes,
    // Each peer has a connection of its own.
    "grpc.use_local_subchannel_pool": 1,
  });
  const over = new AbortController();
  const hangUp = (): void => {
    over.abort();
    client.close();
    connection.cut();
  };
  try {
    const ready = connected(client, { address, limits }, over.signal);
    await abortable(Promise.race([ready, connection.failed]), signal).catch((error: unknown) => {
      ready.catch(() => undefined);
      if (!SvcError.is(error, "p2p/closed")) throw error;
      throw unreachable(address, "the proxy closed the connection");
    });
    const heard = (): void => connection.heard();
    return await opened(client, remote, { address, limits, signal, heard, hangUp });
  } catch (error) {
    hangUp();
    throw error;
  }
}

type Target = { readonly address: string; readonly limits: DialLimits };

/** What the library's own waiting does, but for one thing: that goes on connecting after the client was closed. */
function connected(client: Client, { address, limits }: Target, over: AbortSignal): Promise<void> {
  const channel = client.getChannel();
  const endMs = Number(systemClock.steadyMs()) + limits.connectMs;
  return new Promise((resolve, reject) => {
    const look = (error?: Error): void => {
      const isOver = error !== undefined || over.aborted;
      const state = isOver ? null : channel.getConnectivityState(true);
      if (state === null) reject(unreachable(address, "it does not accept connections"));
      else if (state === connectivityState.READY) resolve();
      else {
        const leftMs = endMs - Number(systemClock.steadyMs());
        // The library asks for a time of day.
        channel.watchConnectivityState(state, Number(systemClock.nowMs()) + leftMs, look);
      }
    };
    look();
  });
}

type Opening = Target & Pick<WireParts, "heard" | "hangUp"> & { readonly signal: AbortSignal };

function opened(client: Client, remote: RemoteAddress, opening: Opening): Promise<Wire> {
  const { address, limits, signal, heard, hangUp } = opening;
  const { path, requestSerialize, responseDeserialize } = peerStream;
  const gate = new ReadGate();
  const stream: Stream = client.makeBidiStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    new Metadata(),
    { interceptors: [gatedCalls(gate)] },
  );
  const wire = wireOf(stream, { remote, gate, closeMs: limits.closeMs, heard, hangUp });
  return new Promise((resolve, reject) => {
    const giveUp = (error: SvcError): void => {
      done();
      stream.cancel();
      reject(error);
    };
    const onAbort = (): void => giveUp(new SvcError("run/aborted", {}));
    const limit = setTimeout(
      () => giveUp(unreachable(address, "it does not open the stream")),
      limits.openMs,
    );
    const done = (): void => {
      clearTimeout(limit);
      signal.removeEventListener("abort", onAbort);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    const taken = (): void => {
      done();
      resolve(wire);
    };
    const refused = ({ details }: StatusObject): void =>
      giveUp(unreachable(address, details || "it refused"));
    stream.once("metadata", guarded(taken, giveUp));
    stream.once("status", guarded(refused, giveUp));
  });
}

type WireParts = {
  readonly gate: ReadGate;
  /** Told of each message that is whole. */
  readonly heard: () => void;
  /** Closes the connection when the stream is over. */
  readonly hangUp: () => void;
  readonly remote: RemoteAddress;
  readonly closeMs: number;
};

function wireOf(stream: Stream, { gate, heard, hangUp, ...facts }: WireParts): GrpcWire {
  const wire = new GrpcWire(
    { ...facts, isOutbound: true },
    {
      write: (bytes, onSent) =>
        bytes.length >= P2P_LIMITS.p2pCompressBytes
          ? stream.write(bytes, onSent)
          : stream.write(bytes, NOT_COMPRESSED, onSent),
      end: () => stream.end(),
      cut: () => stream.cancel(),
      gate,
    },
  );
  const onFault = (fault: SvcError): void => {
    hangUp();
    wire.closed(fault);
  };
  const arrived = (bytes: Uint8Array): void => {
    heard();
    wire.arrived(bytes);
  };
  const ended = (state: StatusObject): void => {
    wire.closed(faultOf(state, SIDE));
    hangUp();
  };
  stream.on("data", guarded(arrived, onFault));
  // The status says the same, and always comes.
  stream.on(
    "error",
    guarded(() => undefined, onFault),
  );
  stream.on("status", guarded(ended, onFault));
  return wire;
}

function unreachable(address: string, reason: string): SvcError {
  return new SvcError("p2p/unreachable", { address, reason });
}
