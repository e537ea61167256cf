/** Dials peers: a gRPC stream to an address becomes a wire. */
import { Client, credentials, Metadata, type ClientDuplexStream } from "@grpc/grpc-js";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { authority } from "../../platform/authority.ts";
import { GrpcWire } from "./grpcWire.ts";
import { peerStream } from "./peerStream.ts";
import type { RemoteAddress, Wire } from "./wire.ts";

/** The number of gzip among the compressions of the library. */
const GZIP = 2;
/** Flag of a message that is sent as it is. */
const NOT_COMPRESSED = "2";

type Stream = ClientDuplexStream<Uint8Array, Uint8Array>;

/** How long a peer may take to accept a connection, to open the stream, and for the last words; milliseconds. */
export type DialLimits = {
  readonly connectMs: number;
  readonly openMs: number;
  readonly closeMs: number;
};

const DIAL_LIMITS: DialLimits = {
  connectMs: LIMITS.p2pConnectMs,
  openMs: LIMITS.p2pOpenMs,
  closeMs: LIMITS.p2pCloseMs,
};

/**
 * Opens a stream to a peer. Resolves when the peer has accepted it. Rejects with `p2p/unreachable`, also when it takes
 * longer than it may, and `run/aborted`.
 */
export async function dialPeer(
  remote: RemoteAddress,
  signal: AbortSignal,
  limits: DialLimits = DIAL_LIMITS,
): Promise<Wire> {
  throwIfAborted(signal);
  const address = authority(remote.ip, remote.port);
  const client = new Client(address, credentials.createInsecure(), {
    "grpc.max_receive_message_length": LIMITS.p2pProofBytes,
    "grpc.max_send_message_length": -1,
    "grpc.keepalive_time_ms": LIMITS.p2pKeepaliveMs,
    "grpc.keepalive_timeout_ms": LIMITS.p2pKeepaliveMs,
    "grpc.default_compression_algorithm": GZIP,
    "grpc.enable_retries": 0,
    // Each peer has a connection of its own.
    "grpc.use_local_subchannel_pool": 1,
  });
  try {
    await connected(client, { address, limits });
    throwIfAborted(signal);
    return await opened(client, remote, { address, limits, signal });
  } catch (error) {
    client.close();
    throw error;
  }
}

type Target = { readonly address: string; readonly limits: DialLimits };

function connected(client: Client, { address, limits }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    client.waitForReady(Date.now() + limits.connectMs, (error) => {
      if (error === undefined) resolve();
      else reject(unreachable(address, "it does not accept connections"));
    });
  });
}

type Opening = Target & { readonly signal: AbortSignal };

function opened(client: Client, remote: RemoteAddress, opening: Opening): Promise<Wire> {
  const { address, limits, signal } = opening;
  const { path, requestSerialize, responseDeserialize } = peerStream;
  const stream: Stream = client.makeBidiStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    new Metadata(),
  );
  const wire = wireOf(stream, { client, remote, closeMs: limits.closeMs });
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
    stream.once("metadata", () => {
      done();
      resolve(wire);
    });
    stream.once("status", ({ details }) => giveUp(unreachable(address, details || "it refused")));
  });
}

function wireOf(
  stream: Stream,
  { client, remote, closeMs }: { client: Client; remote: RemoteAddress; closeMs: number },
): GrpcWire {
  const wire = new GrpcWire(
    { remote, isOutbound: true, closeMs },
    {
      write: (bytes) =>
        bytes.length >= LIMITS.p2pCompressBytes
          ? stream.write(bytes)
          : stream.write(bytes, NOT_COMPRESSED),
      end: () => stream.end(),
      cut: () => stream.cancel(),
    },
  );
  stream.on("data", (bytes: Uint8Array) => wire.arrived(bytes));
  stream.on("drain", () => wire.drained());
  // The status says the same, and always comes.
  stream.on("error", () => undefined);
  stream.on("status", () => {
    wire.closed(null);
    client.close();
  });
  return wire;
}

function unreachable(address: string, reason: string): SvcError {
  return new SvcError("p2p/unreachable", { address, reason });
}
