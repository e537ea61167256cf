/** The public view of a refund by its claim id, and the address that a payer gives. */
import { asClaimId, type ClaimId } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import type { Refund } from "../invoice/refund.ts";
import type { MerchantPort } from "./gatewayPorts.ts";
import type { RecordPlace } from "./invoiceRecordOf.ts";
import type { AddressCheck, RefundPort } from "./refundPort.ts";
import { claimRecordOf } from "./refundRecordOf.ts";

/** Where it is looked for. */
export type ClaimSource = {
  readonly refunds: Pick<RefundPort, "claimed" | "fill">;
  readonly merchants: Pick<MerchantPort, "merchant">;
  readonly checkAddress: AddressCheck;
  readonly place: () => RecordPlace;
};

/** The payer's record of a refund. */
export type Claim = ReturnType<typeof claimRecordOf>;

const CLAIM = /^clm_[0-9a-f]{32}$/;

/** The record of a claim. Rejects with `gateway/no-claim`. */
export async function findClaim(id: string, source: ClaimSource): Promise<Claim> {
  return shownOf(await source.refunds.claimed(claimOf(id)), source);
}

/** The record after the payer has given an address. Rejects with `gateway/no-claim`, `gateway/claim-over`, and those of the address. */
export async function fillClaim(id: string, text: string, source: ClaimSource): Promise<Claim> {
  const claim = claimOf(id);
  await source.refunds.claimed(claim);
  const address = await source.checkAddress(text);
  return shownOf(await source.refunds.fill(claim, address), source);
}

async function shownOf(refund: Refund, { merchants, place }: ClaimSource): Promise<Claim> {
  const merchant = await merchants.merchant(refund.terms.merchant);
  if (merchant === null) throw new SvcError("gateway/no-claim", {});
  return claimRecordOf(refund, place(), merchant.look.storeName);
}

function claimOf(text: string): ClaimId {
  if (CLAIM.test(text)) return asClaimId(text);
  throw new SvcError("gateway/no-claim", {});
}
