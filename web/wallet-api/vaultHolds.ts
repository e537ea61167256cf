/** What a vault holds: the seed, or a viewing key that cannot spend. It stands in the header, which is authenticated. */
import type { VaultRecord } from "./vaultRecord.ts";

/** The kinds. A vault of version 1 holds a seed; one of version 2 names what it holds. */
export type VaultHolds = "seed" | "full-viewing-key";

/** Whether the wallet of this vault only watches. A header that cannot be read says no; such a vault does not open. */
export function isWatchOnly({ header }: Pick<VaultRecord, "header">): boolean {
  try {
    return Reflect.get(Object(JSON.parse(header)), "holds") === "full-viewing-key";
  } catch {
    return false;
  }
}
