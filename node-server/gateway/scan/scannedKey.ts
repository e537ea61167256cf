/** A viewing key that payments are looked for with. */
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";

/** The key: it sees what is paid to it, and neither who pays nor what its owner spends. */
export type ScannedKey = {
  readonly id: ViewingKeyId;
  /** Incoming viewing key, 64 bytes. */
  readonly ivk: Uint8Array;
};
