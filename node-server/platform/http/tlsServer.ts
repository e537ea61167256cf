/**
 * HTTPS server whose handshakes are bounded like its requests: TLS 1.2 and 1.3, no renegotiation, a time for each handshake.
 *
 * `connection` is emitted before the handshake, so quotas of connections hold for it. Whoever speaks HTTP without TLS is told so.
 */
import { constants } from "node:crypto";
import { Server, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { guarded } from "../net/guarded.ts";
import { errorParts } from "./errorAnswer.ts";

/** What a server speaks TLS with. */
export type ServerTls = {
  /** The certificate and its private key in PEM. */
  readonly cert: string;
  readonly key: string;
  /** ms. A connection whose handshake takes longer is closed. */
  readonly handshakeMs: number;
};

/** The server. `options` are those of node:http. */
export class TlsServer extends Server {
  /** Connections that are in their handshake, by their other ends. */
  readonly #handshakes = new Map<string, Socket>();

  constructor(options: ServerOptions, { cert, key, handshakeMs }: ServerTls) {
    super({
      ...options,
      cert,
      key,
      handshakeTimeout: handshakeMs,
      minVersion: "TLSv1.2",
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    });
    const end = (_: unknown, socket: Socket): void => void socket.destroy();
    this.on("connection", guarded(this.#begun, end));
    this.on("secureConnection", guarded(this.#over, end));
    this.on(
      "tlsClientError",
      guarded(this.#failed, (_, __, socket) => socket.destroy()),
    );
  }

  /** Connections in their handshake are idle: nothing has been asked on them. */
  override closeIdleConnections(): void {
    super.closeIdleConnections();
    for (const socket of [...this.#handshakes.values()]) socket.destroy();
  }

  readonly #begun = (socket: Socket): void => {
    const name = endOf(socket);
    this.#handshakes.set(name, socket);
    const gone = (): void => void this.#handshakes.delete(name);
    socket.once("close", guarded(gone, gone));
  };

  readonly #over = (socket: TLSSocket): void => void this.#handshakes.delete(endOf(socket));

  readonly #failed = (error: Error, socket: TLSSocket): void => {
    const isHttp = "code" in error && error.code === "ERR_SSL_HTTP_REQUEST";
    if (isHttp) this.#handshakes.get(endOf(socket))?.end(TLS_ONLY);
  };
}

/** The other end of a connection: one name for it before and behind TLS. */
function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** What who speaks HTTP is told, in the form that it understands. */
const TLS_ONLY = httpText(new SvcError("http/tls-only", {}));

function httpText(error: SvcError): string {
  const { status, headers, body } = errorParts(error);
  const all = { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} Bad Request`, ...lines, "", body].join("\r\n");
}
