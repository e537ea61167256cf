/** Scoped tokens of tests, as the book makes them. */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { ScopedAccess } from "../spend/tokens/tokenBook.ts";
import type { TokenLimits } from "../store/tokenTable.ts";
import type { WalletStore } from "../store/walletStore.ts";

/** A scoped token of a wallet that is told by a hex digit, and stored. */
export function scopedToken(
  store: WalletStore,
  token: WalletToken,
  { digit, limits }: { readonly digit: string; readonly limits: Partial<TokenLimits> },
): ScopedAccess {
  const [id, hash] = [digit.repeat(32), digit.repeat(64)];
  const all = { daySompi: null, payees: null, approvalAboveSompi: null, ...limits };
  const open = { expiresMs: null, revokedMs: null, usedMs: null };
  const row = { id, token, label: "", scope: ["spend"] as const, limits: all };
  store.commit((batch) =>
    store.tokens.put(batch, hash, { ...row, createdMs: asTimestampMs(1n), ...open }),
  );
  return { id, hash, limits: all };
}

/** Revokes it, as another call of the owner does meanwhile. */
export function revokeToken(store: WalletStore, { hash }: Pick<ScopedAccess, "hash">): void {
  store.commit((batch) => {
    const row = store.tokens.get(hash, batch);
    if (row !== undefined) store.tokens.put(batch, hash, { ...row, revokedMs: row.createdMs });
  });
}
