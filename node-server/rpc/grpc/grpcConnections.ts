/**
 * Connection limit of the gRPC server: so many connections, and when all places are taken the host with most of them gives one
 * up. The library by itself takes as many as come.
 */
import { createServer, type Socket } from "node:net";
import { ServerCredentials, type Server } from "@grpc/grpc-js";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { sourceOf } from "../../platform/net/netAddress.ts";
import { FairConnectionLimit } from "../../platform/net/fairConnectionLimit.ts";
import { guarded } from "../../platform/net/guarded.ts";
import { listenAt } from "../../platform/net/listenAt.ts";

/** Dependencies of the connection limit: where the server listens, and how many may connect. */
export type ConnectionsParts = {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly connections: number;
  /** Hears of a fault of ours, which has ended a connection, and of the port's. */
  readonly onFault: (fault: SvcError) => void;
};

/** An open port. */
export type GrpcConnections = {
  readonly port: number;
  /** Lets nobody in any more; connections that are open stay. */
  close(): void;
};

/** Listens in clear text for a server. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function takeConnections(
  server: Server,
  { host, port, connections, onFault }: ConnectionsParts,
): Promise<GrpcConnections> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const places = new FairConnectionLimit<Socket>({ total: connections, perHost: connections });
  const net = createServer({ noDelay: true });
  const enter = (socket: Socket): void => {
    const source = sourceOf(socket.remoteAddress);
    const place = places.enter(source, socket);
    if (!place.entered) return void socket.destroy();
    place.evicted?.destroy();
    const cut = (): void => void socket.destroy();
    socket.on("error", guarded(cut, cut));
    const gone = (): void => places.leave(source, socket);
    socket.once("close", guarded(gone, gone));
    injector.injectConnection(socket);
  };
  const failed = (fault: SvcError, socket: Socket): void => {
    socket.destroy();
    onFault(fault);
  };
  net.on("connection", guarded(enter, failed));
  const bound = await listenAt(net, { host, port, option: "--rpclisten" }, onFault);
  return { port: bound, close: () => void net.close() };
}
