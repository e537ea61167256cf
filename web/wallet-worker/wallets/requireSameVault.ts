/** Guard of an opening wallet: the keyring's keys are those of the vault that is stored beside the records. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ViewingKeys } from "../../wallet-api/keyringApi.ts";
import { vaultIdOf } from "../../wallet-api/vaultId.ts";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";

/** Throws `wallet/no-wallet` for keys of another wallet, which would write its notes into this one's store, and where no vault is stored. */
export function requireSameVault(
  stored: VaultRecord | undefined,
  { vaultId }: Pick<ViewingKeys, "vaultId">,
): void {
  if (stored === undefined || vaultIdOf(stored) !== vaultId) {
    throw new SvcError("wallet/no-wallet", {});
  }
}
