/** Record type of the vault, as threads exchange it and as it is stored (specification wallet 4.2). */
import type { DeviceSlot } from "./deviceSlot.ts";

/** The vault as it is stored. Nothing in it is secret by itself. */
export type VaultRecord = {
  /** JSON of the header, kept as text because it is authenticated as text. */
  readonly header: string;
  /** The DEK sealed under the passphrase. */
  readonly passSlot: Uint8Array<ArrayBuffer>;
  /** The seed sealed under the DEK. */
  readonly seed: Uint8Array<ArrayBuffer>;
  /** The DEK sealed for a passkey of this device; missing where none opens the wallet. */
  readonly deviceSlot?: DeviceSlot;
};
