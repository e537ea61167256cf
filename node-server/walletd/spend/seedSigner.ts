/** Signer of a custodial wallet: opens the seed for the length of a signature, and compares the proved payment with what was asked. */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { SignerPort } from "@svc/shared/wallet/state/ports.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import type { WalletToken } from "../keys/walletToken.ts";

/** Dependencies of signing. */
export type SeedSignerParts = {
  readonly folder: Pick<WalletFolder, "openSeed">;
  readonly core: Pick<CoreGlue, "checkAndSign">;
};

/** Makes the signer of a wallet. It rejects like `WalletFolder.openSeed`, and with `signer/…`. */
export function seedSigner({ folder, core }: SeedSignerParts, token: WalletToken): SignerPort {
  return {
    async sign(intent, { bundle, disclosure, alphas }) {
      const text = JSON.stringify(intent);
      const seed = await folder.openSeed(token);
      try {
        return seed.reveal((bytes) =>
          callCore(() => core.checkAndSign(bytes, text, bundle, disclosure, alphas)),
        );
      } finally {
        seed.erase();
      }
    },
  };
}
