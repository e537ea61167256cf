/**
 * The credentials of wallets: a wallet's own token opens all of it, a scoped token part of it.
 *
 * A scoped token is `svct.` and 64 hex digits of the system's generator. No wallet token holds a dot, so neither is taken for the
 * other. The credential is shown once; its SHA-256 is stored, and to look for that tells a guesser nothing by the time it takes.
 */
import { createHash } from "node:crypto";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { asWalletToken, isWalletToken, type WalletToken } from "../../keys/walletToken.ts";
import type { TokenLimits, TokenRow, TokenScope } from "../../store/tokenTable.ts";
import type { StoreBatch } from "../../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../../store/walletStore.ts";
import { WALLETD_LIMITS } from "../../walletdLimits.ts";

/** What a credential opens. */
export type Access = {
  readonly token: WalletToken;
  readonly scope: ReadonlySet<TokenScope>;
  /** Null for the owner. */
  readonly scoped: ScopedAccess | null;
};

/** The scoped token behind an access. */
export type ScopedAccess = {
  readonly id: string;
  /** SHA-256 of the credential, as hex. */
  readonly hash: string;
  readonly limits: TokenLimits;
};

/** What a new token is made with. */
export type NewToken = Pick<TokenRow, "label" | "scope" | "limits" | "expiresMs">;

/** Dependencies of the book. */
export type TokenBookParts = {
  readonly store: Pick<WalletStore, "commit" | "tokens" | "charges">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly randomBytes: (length: number) => Uint8Array;
};

const PREFIX = "svct.";
const FORM = /^svct\.[0-9a-f]{64}$/;
const ALL: ReadonlySet<TokenScope> = new Set(["view", "prepare", "spend"]);
const SECRET_BYTES = 32;
const ID_BYTES = 16;

/** Whether a text has the form of a scoped token, which no wallet's own token has. */
export function isScopedCredential(text: string): boolean {
  return FORM.test(text);
}

/** What a wallet's own token opens: everything. */
export function ownerAccess(token: WalletToken): Access {
  return { token, scope: ALL, scoped: null };
}

/**
 * Checks in a commit that the token of a caller, who was let in before, is not revoked, and is still one of a wallet. The owner
 * always passes. Throws `api/unknown-token`, and then the commit must not happen.
 */
export function requireStanding(
  { tokens }: Pick<WalletStore, "tokens">,
  batch: StoreBatch,
  scoped: Pick<ScopedAccess, "hash"> | null,
): void {
  if (scoped === null) return;
  const row = tokens.get(scoped.hash, batch);
  if (row === undefined || row.revokedMs !== null) throw new SvcError("api/unknown-token", {});
}

/** The tokens of all wallets. Throws `store/…` besides what is said. */
export class TokenBook {
  readonly #parts: TokenBookParts;

  constructor(parts: TokenBookParts) {
    this.#parts = parts;
  }

  /**
   * What a credential opens; null for a scoped token that nobody made, or that is revoked or expired, and for a text that is no
   * credential. Whether a wallet has a token of its own is not looked at.
   */
  resolve(credential: string): Access | null {
    if (isWalletToken(credential)) return ownerAccess(credential);
    if (!isScopedCredential(credential)) return null;
    const { store, clock } = this.#parts;
    const hash = hashOf(credential);
    const row = store.tokens.get(hash);
    const now = asTimestampMs(clock.nowMs());
    if (row === undefined || !isOpen(row, now)) return null;
    this.#markUse(hash, row, now);
    const scoped = { id: row.id, hash, limits: row.limits };
    return { token: asWalletToken(row.token), scope: new Set(row.scope), scoped };
  }

  /**
   * Makes a token for a wallet; the credential is told here and never again. Of tokens that are revoked or expired the newest
   * `scopedTokensClosed` stay. Throws `wallet/bad-scoped-token`.
   */
  create(
    owner: WalletToken,
    { label, scope, limits, expiresMs }: NewToken,
  ): { readonly credential: string; readonly row: TokenRow } {
    const { store, clock, randomBytes } = this.#parts;
    const createdMs = asTimestampMs(clock.nowMs());
    const wanted = { label, scope: [...new Set(scope)], limits, expiresMs };
    const rows = [...store.tokens.ofWallet(owner)];
    const closed = rows.filter((known) => !isOpen(known, createdMs));
    const fault = faultOf(wanted, createdMs, rows.length - closed.length);
    if (fault !== null) throw new SvcError("wallet/bad-scoped-token", { reason: fault });
    const credential = `${PREFIX}${encodeHex(randomBytes(SECRET_BYTES))}`;
    const id = encodeHex(randomBytes(ID_BYTES));
    const row = { ...wanted, id, token: owner, createdMs, revokedMs: null, usedMs: null };
    store.commit((batch) => {
      for (const old of oldest(closed)) this.#forget(batch, old);
      store.tokens.put(batch, hashOf(credential), row);
    });
    return { credential, row };
  }

  /** The tokens of a wallet, those that are revoked or expired too, the oldest first. */
  list(owner: WalletToken): readonly TokenRow[] {
    const rows = [...this.#parts.store.tokens.ofWallet(owner)];
    return rows.toSorted((a, b) =>
      a.createdMs < b.createdMs ? -1 : a.createdMs > b.createdMs ? 1 : 0,
    );
  }

  /**
   * Revokes a token: it opens nothing any more, and stays in the list. `also` adds what ends with it to the same commit. Throws
   * `wallet/no-scoped-token`, and what `also` throws.
   */
  revoke(
    owner: WalletToken,
    id: string,
    also: (batch: StoreBatch) => void = () => undefined,
  ): TokenRow {
    const { store, clock } = this.#parts;
    return store.commit((batch) => {
      const { hash, row } = this.#own(owner, id);
      also(batch);
      if (row.revokedMs !== null) return row;
      const revoked = { ...row, revokedMs: asTimestampMs(clock.nowMs()) };
      store.tokens.put(batch, hash, revoked);
      return revoked;
    });
  }

  #forget(batch: StoreBatch, { token, id }: TokenRow): void {
    const { tokens, charges } = this.#parts.store;
    const { hash, row } = this.#own(asWalletToken(token), id);
    tokens.delete(batch, hash, row);
    charges.deleteToken(batch, hash);
  }

  #own(owner: WalletToken, id: string): { readonly hash: string; readonly row: TokenRow } {
    const { tokens } = this.#parts.store;
    const hash = tokens.hashOf(owner, id);
    const row = hash === undefined ? undefined : tokens.get(hash);
    if (hash === undefined || row === undefined) throw new SvcError("wallet/no-scoped-token", {});
    return { hash, row };
  }

  #markUse(hash: string, row: TokenRow, now: TimestampMs): void {
    const { store } = this.#parts;
    const isRecent = row.usedMs !== null && now - row.usedMs < WALLETD_LIMITS.scopedTokenUseMs;
    if (isRecent && now >= (row.usedMs ?? 0n)) return;
    store.commit((batch) => store.tokens.put(batch, hash, { ...row, usedMs: now }));
  }
}

/** Checks that an access allows a call. Throws `wallet/scope`. */
export function requireScope({ scope }: Access, needed: TokenScope): void {
  if (!scope.has(needed)) throw new SvcError("wallet/scope", { needed });
}

/** Checks that a call is the owner's: those about tokens and approvals, seeds and settings. Throws `wallet/scope`. */
export function requireOwner({ scoped }: Access): void {
  if (scoped !== null) throw new SvcError("wallet/scope", { needed: "owner" });
}

function hashOf(credential: string): string {
  return createHash("sha256").update(credential, "utf8").digest("hex");
}

function isOpen({ revokedMs, expiresMs }: TokenRow, now: TimestampMs): boolean {
  return revokedMs === null && (expiresMs === null || now < expiresMs);
}

/** Those of the closed tokens that go, the first that were closed. */
function oldest(closed: readonly TokenRow[]): readonly TokenRow[] {
  const excess = closed.length - WALLETD_LIMITS.scopedTokensClosed;
  if (excess <= 0) return [];
  const closedMs = ({ revokedMs, expiresMs }: TokenRow): bigint => revokedMs ?? expiresMs ?? 0n;
  return closed
    .toSorted((a, b) => (closedMs(a) < closedMs(b) ? -1 : closedMs(a) > closedMs(b) ? 1 : 0))
    .slice(0, excess);
}

function faultOf(
  { label, scope, limits, expiresMs }: NewToken,
  now: TimestampMs,
  count: number,
): string | null {
  const { scopedTokens, scopedTokenLabelChars, scopedTokenPayees } = WALLETD_LIMITS;
  if (count >= scopedTokens) return `the wallet has ${scopedTokens}`;
  if (label.length > scopedTokenLabelChars)
    return `a label has ${scopedTokenLabelChars} characters at most`;
  if (scope.length === 0) return "it has no scope";
  if (expiresMs !== null && expiresMs <= now) return "it has expired";
  if (limits.payees !== null && limits.payees.length > scopedTokenPayees) {
    return `it names more than ${scopedTokenPayees} payees`;
  }
  const isBounded = limits.daySompi !== null || limits.payees !== null;
  if (isBounded && !scope.includes("spend") && !scope.includes("prepare")) {
    return "limits are of the scopes spend and prepare";
  }
  if (limits.approvalAboveSompi !== null && !scope.includes("spend")) {
    return "approval is of the scope spend";
  }
  return null;
}
