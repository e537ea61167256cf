/** Finds the till that a request comes from, by its cookie. */
import type { Context } from "hono";
import type { Hash32 } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { requireOwnOrigin } from "./ownOrigin.ts";
import { deviceIn, hashToken, tokenIn } from "./tillCookie.ts";
import type { TillPort, TillSession } from "./tillPort.ts";

/** Where tills are looked for. */
export type TillGate = {
  readonly tills: TillPort;
  /** Whether the gateway is reached over https. */
  readonly isSecure: () => boolean;
};

/** The session of a request, and the SHA-256 of its token. */
export type RequestSession = TillSession & { readonly token: Hash32 };

/** The session of a request; null where it has none. Rejects with `http/foreign-origin`. */
export async function sessionOf(c: Context, gate: TillGate): Promise<RequestSession | null> {
  requireOwnOrigin(c);
  using token = tokenIn(c.req.header("cookie"), gate.isSecure());
  if (token === null) return null;
  const hash = await hashToken(token);
  const session = await gate.tills.session(hash);
  return session === null ? null : { ...session, token: hash };
}

/** A device that signed in before: as which till, and the SHA-256 of what it is known by. */
export type KnownDevice = { readonly till: string; readonly hash: Hash32 };

/** The known device that a request comes from; null for every other one. */
export async function deviceOf(c: Context, gate: TillGate | null): Promise<KnownDevice | null> {
  if (gate === null) return null;
  using device = deviceIn(c.req.header("cookie"), gate.isSecure());
  if (device === null) return null;
  const hash = await hashToken(device);
  const till = await gate.tills.deviceOf(hash);
  return till === null ? null : { till, hash };
}

/** The session of a request. Rejects with `gateway/no-session`, `http/foreign-origin`. */
export async function requireSession(c: Context, gate: TillGate | null): Promise<RequestSession> {
  const session = gate === null ? null : await sessionOf(c, gate);
  if (session === null) throw new SvcError("gateway/no-session", {});
  return session;
}
