/** Test helper: a scoped token as the token book stores one. */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { ScopedAccess } from "../spend/tokens/tokenBook.ts";
import type { WalletStore } from "../store/walletStore.ts";

/** Stores the token behind an access of a wallet; returns the access. */
export function storeToken(
  store: Pick<WalletStore, "commit" | "tokens">,
  token: WalletToken,
  access: ScopedAccess,
): ScopedAccess {
  const { id, hash, limits } = access;
  const dates = { createdMs: asTimestampMs(0n), expiresMs: null, revokedMs: null, usedMs: null };
  store.commit((batch) => {
    store.tokens.put(batch, hash, { id, token, label: "", scope: ["spend"], limits, ...dates });
  });
  return access;
}
