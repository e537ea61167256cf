/** Wallets that a daemon keeps in memory unless `--max-resident-wallets` says otherwise. */
import { WALLETD_LIMITS } from "./walletdLimits.ts";

/** The number of wallets by the bytes of memory that are free when the daemon starts; null where the system does not tell. */
export function residentDefault(freeBytes: number | null): number {
  const { residentUnknown, residentLeast, residentMost, residentShareBytes } = WALLETD_LIMITS;
  if (freeBytes === null) return residentUnknown;
  const fitting = Math.floor(freeBytes / residentShareBytes);
  return Math.min(residentMost, Math.max(residentLeast, fitting));
}
