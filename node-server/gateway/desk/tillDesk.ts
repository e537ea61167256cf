/**
 * Signs tills in. Tills and the hashes of their passwords are in the database that the operator's commands write, sessions in the gateway's
 * own one. A session is of one password, so that another password ends it at once, whichever process gave it.
 */
import { asTimestampMs, type Hash32 } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { hashToken, TOKEN_BYTES } from "@svc/shared/gateway/till/tillCookie.ts";
import type {
  OpenedSession,
  Till,
  TillPort,
  TillSession,
} from "@svc/shared/gateway/till/tillPort.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { AccessStore } from "../access/accessStore.ts";
import { merchantOf } from "../access/merchantDirectory.ts";
import { isPassword, passwordOfNobody, type PasswordCost } from "../access/passwordHash.ts";
import type { TillRow } from "../access/tillTable.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { PlacedSession, TillSessionTable } from "../store/tillSessionTable.ts";

/** Dependencies. */
export type TillDeskParts = {
  readonly access: Pick<AccessStore, "tills" | "merchants">;
  readonly store: GatewayStore;
  readonly clock: Pick<Clock, "nowMs">;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Cost of the passwords of its tills, the usual one when left out. */
  readonly passwordCost?: PasswordCost;
};

/** The tills of a gateway. */
export class TillDesk implements TillPort {
  readonly #parts: TillDeskParts;
  readonly #turns = new Turns(GATEWAY_LIMITS.passwordChecks, GATEWAY_LIMITS.passwordsWaiting);

  constructor(parts: TillDeskParts) {
    this.#parts = parts;
  }

  async signIn(
    name: string,
    password: Secret,
    known: Hash32 | null,
  ): Promise<OpenedSession | null> {
    const { access, store, randomBytes, clock, passwordCost } = this.#parts;
    const row = access.tills.get(name);
    // Nobody learns by the time that there is no such till.
    const held = row?.password ?? passwordOfNobody(passwordCost);
    const isRight = await this.#turns.take(() => isPassword(password, held));
    const till = row === undefined ? null : this.#tillOf(row);
    if (!isRight || row === undefined || till === null) return null;
    const nowMs = asTimestampMs(clock.nowMs());
    const fresh = (): Secret => new Secret(Uint8Array.from(randomBytes(TOKEN_BYTES)));
    const { passwordId } = row;
    const place = async (token: Secret, seconds: number): Promise<PlacedSession> => {
      const expiresMs = asTimestampMs(nowMs + BigInt(seconds) * 1_000n);
      return { token: await hashToken(token), row: { till: name, passwordId, expiresMs } };
    };
    const { tillSessionSeconds, tillDeviceSeconds } = MERCHANT_LIMITS;
    const token = fresh();
    const session = await place(token, tillSessionSeconds);
    const device = this.#isKnownFor(known, name, nowMs) ? null : fresh();
    const kept = device && (await place(device, tillDeviceSeconds));
    await store.run((batch) => {
      const { tillSessions, tillDevices } = store;
      putWithin(tillSessions, batch, session, { most: MERCHANT_LIMITS.tillSessions, nowMs });
      if (kept === null) return;
      putWithin(tillDevices, batch, kept, { most: MERCHANT_LIMITS.tillDevices, nowMs });
    });
    return { till, expiresMs: session.row.expiresMs, token, device };
  }

  async deviceOf(device: Hash32): Promise<string | null> {
    const row = this.#parts.store.tillDevices.get(device);
    return row === undefined || row.expiresMs <= this.#parts.clock.nowMs() ? null : row.till;
  }

  async session(token: Hash32): Promise<TillSession | null> {
    const { access, store, clock } = this.#parts;
    const session = store.tillSessions.get(token);
    if (session === undefined || session.expiresMs <= clock.nowMs()) return null;
    const row = access.tills.get(session.till);
    if (row === undefined || row.passwordId !== session.passwordId) return null;
    const till = this.#tillOf(row);
    return till === null ? null : { till, expiresMs: session.expiresMs };
  }

  async signOut(token: Hash32): Promise<void> {
    const { store } = this.#parts;
    await store.run((batch) => {
      const row = store.tillSessions.get(token, batch);
      if (row !== undefined) store.tillSessions.delete(batch, { token, row });
    });
  }

  /** Whether a device is known as this till, and for so long that it needs no other name. */
  #isKnownFor(device: Hash32 | null, till: string, nowMs: bigint): boolean {
    const row = device === null ? undefined : this.#parts.store.tillDevices.get(device);
    const halfMs = BigInt(MERCHANT_LIMITS.tillDeviceSeconds) * 500n;
    return row?.till === till && row.expiresMs - nowMs > halfMs;
  }

  /** Null for a till whose merchant is gone or closed. */
  #tillOf({ name, merchant: id, currency, timeZone, tips }: TillRow): Till | null {
    const row = this.#parts.access.merchants.get(id);
    if (row === undefined || row.closedMs !== null) return null;
    return { name, merchant: merchantOf(row), currency, timeZone, tips };
  }
}

/** Writes a row of a till; those that are over go, and the oldest where there are as many as may be. */
function putWithin(
  table: TillSessionTable,
  batch: StoreBatch,
  placed: PlacedSession,
  { most, nowMs }: { readonly most: number; readonly nowMs: bigint },
): void {
  const all = table.of(placed.row.till, batch);
  const isOver = ({ row }: PlacedSession): boolean => row.expiresMs <= nowMs;
  const good = all.filter((one) => !isOver(one));
  const beyond = Math.max(0, good.length - most + 1);
  for (const one of [...all.filter(isOver), ...good.slice(0, beyond)]) table.delete(batch, one);
  table.put(batch, placed);
}

/** Lets so many do their work at once, and so many more wait. */
class Turns {
  readonly #waiting: (() => void)[] = [];
  readonly #waitingMost: number;
  #free: number;

  constructor(atOnce: number, waitingMost: number) {
    this.#free = atOnce;
    this.#waitingMost = waitingMost;
  }

  /** Does the work when its turn has come. Rejects with `http/unavailable` where too many wait. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#waitingMost) {
      throw new SvcError("http/unavailable", { reason: "too many tills sign in at once" });
    } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
