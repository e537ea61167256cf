/** Sets of the viewing keys of wallets. */
import { KeySets } from "../../scanning/keySets.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** Empty sets, for wallets that are scanned for together by their full viewing keys, 96 bytes each. */
export function walletKeySets<Wallet extends { readonly fvk: Uint8Array }>(): KeySets<Wallet> {
  return new KeySets({ keyOf: ({ fvk }) => fvk, keysPerSet: WALLETD_LIMITS.scanKeysPerSet });
}
