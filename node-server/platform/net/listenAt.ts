/** Opens the listening port of a server. */
import type { Server } from "node:net";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { authority } from "./authority.ts";
import { guarded } from "./guarded.ts";

/** The listen address of a server, and the option that says so. */
export type ListenPlace = {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Named when the place is a wrong one. */
  readonly option: string;
};

/** What the system says of a place at which nobody can listen here. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "the system does not let this program listen there",
  EADDRNOTAVAIL: "this machine has no such address",
  EAFNOSUPPORT: "this machine has no addresses of that kind",
  EINVAL: "this machine has no such address",
  ENOTFOUND: "there is no such name",
  EAI_AGAIN: "nobody answers what the name stands for",
};

/**
 * Listens, and resolves with the port. `onError` hears of what goes wrong later: a connection that cannot be taken, for want
 * of descriptors, is an error of the port too. Rejects with `node/port-in-use`, `node/bad-option`.
 */
export function listenAt(
  server: Server,
  place: ListenPlace,
  onError: (error: SvcError) => void,
): Promise<number> {
  const { host, port } = place;
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void => {
      if (server.listening) onError(SvcError.from(cause));
      else reject(listenError(cause, place));
    };
    server.on("error", guarded(failed, reject));
    server.listen({ host, port }, () => {
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : port);
    });
  });
}

/** The error of a port that could not be opened. */
export function listenError(cause: unknown, { host, port, option }: ListenPlace): SvcError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "EADDRINUSE") return new SvcError("node/port-in-use", { port }, cause);
  const why = REASONS[code];
  if (why === undefined) return SvcError.from(cause);
  const reason = `${why} (${authority(host, port)})`;
  return new SvcError("node/bad-option", { option, reason }, cause);
}
