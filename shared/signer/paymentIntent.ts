/** Payment intent: what the owner of a device confirmed on its screen. */
import type { Hash32, Sompi } from "../base/brand.ts";
import type { PlannedOutput } from "./preparedPayment.ts";

/** What a prepared payment must do, no more and no less. */
export type PaymentIntent = {
  /** Each is made exactly once, and nobody else gets anything. */
  readonly payments: readonly PlannedOutput[];
  /** Sompi; null for twice the wallet's fee of such a payment. */
  readonly maxFee: Sompi | null;
  /**
   * Whether the wallet's outgoing viewing key shall read payments and change back, as its owner set `recoverable_history`: true refuses
   * copies that it cannot read, false any that it can. Left out where nobody told the device: the copies are signed as they are.
   */
  readonly recoverable?: boolean;
  /** The sighash that the preparer claims; it is compared and never signed. */
  readonly claimedSighash?: Hash32;
};
