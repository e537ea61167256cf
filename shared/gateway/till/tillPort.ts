/** Interface (port) to the tills of merchants, and to the sessions of those that are signed in. */
import type { Hash32, TimestampMs } from "../../base/brand.ts";
import type { Secret } from "../../base/secret.ts";
import type { Merchant } from "../gatewayPorts.ts";

/** A till as the server knows it. */
export type Till = {
  /** Nobody else at the gateway has it. */
  readonly name: string;
  readonly merchant: Merchant;
  /** Three letters of ISO 4217; null for one that rings up in coins alone. */
  readonly currency: string | null;
  /** By it a day begins and ends, as the time zone database names it. */
  readonly timeZone: string;
  /** Percentages that it offers for a tip. */
  readonly tips: readonly number[];
};

/** A till that is signed in. */
export type TillSession = { readonly till: Till; readonly expiresMs: TimestampMs };

/** A session that was just opened, with what its cookie holds: 32 random bytes. The caller erases them. */
export type OpenedSession = TillSession & {
  readonly token: Secret;
  /** What the device is known by from now on: 32 random bytes; null for one that goes on as it is known. The caller erases them. */
  readonly device: Secret | null;
};

/** The tills. */
export interface TillPort {
  /**
   * Opens a session; on disk when its promise resolves. `device`: the SHA-256 of what the device is known by; null for none. Null for a wrong password and for a till that does not exist, after the same work.
   * Rejects with `http/unavailable` where too many passwords wait to be checked.
   */
  signIn(name: string, password: Secret, device: Hash32 | null): Promise<OpenedSession | null>;
  /** The till as which a device signed in before; null for one that is unknown or was not seen for too long. It gives no right. */
  deviceOf(device: Hash32): Promise<string | null>;
  /** The session of a token with this SHA-256; null for one that is unknown, over, or of a till whose password has changed. */
  session(token: Hash32): Promise<TillSession | null>;
  /** Ends the session of a token. Does nothing where there is none. */
  signOut(token: Hash32): Promise<void>;
}
