/** Identity of a vault, which no change of its passphrase changes (specification wallet 4.2). */
import type { VaultRecord } from "./vaultRecord.ts";

/** The id in the header; null for a header that cannot be read, whose vault does not open. */
export function vaultIdOf({ header }: Pick<VaultRecord, "header">): string | null {
  try {
    const id: unknown = Reflect.get(Object(JSON.parse(header)), "id");
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
