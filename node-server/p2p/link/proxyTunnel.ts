/**
 * Connections through a SOCKS5 proxy (RFC 1928), without a password. The proxy is told the name of a peer and resolves it, so
 * that no DNS query for a peer leaves this machine.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { SocksClient } from "socks";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { authority } from "../../platform/net/authority.ts";
import { guarded } from "../../platform/net/guarded.ts";
import type { RemoteAddress } from "./wire.ts";

/** Where the proxy is, as the operator says. */
export type ProxyAddress = {
  /** An address, or a name that the system looks up. */
  readonly host: string;
  readonly port: number;
};

const SOCKS5 = 5;

/** Resolves the host of the operator's proxy. Rejects with `p2p/unreachable`. */
export async function hostAddress(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw unreachable(host, "the proxy's name leads nowhere", error);
  }
}

/**
 * Asks the proxy at the other end of a connection to connect to a peer. Resolves when it has; then all bytes are the peer's.
 * Rejects with `p2p/unreachable` when the proxy says no, closes the connection, or takes longer than so many milliseconds; the
 * connection is closed then.
 */
export async function openTunnel(
  socket: Duplex,
  { ip, port }: RemoteAddress,
  waitMs: number,
): Promise<void> {
  // The library lets go of the connection before whoever comes next takes hold of it.
  const cut = (): void => void socket.destroy();
  socket.on("error", guarded(cut, cut));
  try {
    await SocksClient.createConnection({
      proxy: { host: "proxy", port, type: SOCKS5 },
      command: "connect",
      destination: { host: ip, port },
      existing_socket: socket,
      timeout: waitMs,
    });
  } catch (error) {
    socket.destroy();
    const reason = error instanceof Error ? error.message : "it failed";
    throw unreachable(authority(ip, port), `the proxy: ${reason}`, error);
  }
  await putBack(socket);
}

/**
 * A peer may speak in the same breath as the proxy's last word. The library tells of such bytes in the next turn, when nobody
 * listens; they are put back to be read.
 */
async function putBack(socket: Duplex): Promise<void> {
  const early: Buffer[] = [];
  const cut = (): void => void socket.destroy();
  const collect = guarded((bytes: Buffer) => early.push(bytes), cut);
  socket.on("data", collect);
  await new Promise((resolve) => void setImmediate(resolve));
  socket.pause();
  socket.off("data", collect);
  if (early.length > 0) socket.unshift(Buffer.concat(early));
}

function unreachable(address: string, reason: string, cause: unknown): SvcError {
  return new SvcError("p2p/unreachable", { address, reason }, cause);
}
