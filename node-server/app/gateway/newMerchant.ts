/** A merchant as the operator's commands add it: what holds for invoices that do not say otherwise. */
import {
  asBlueScore,
  asMerchantId,
  asSompi,
  asTimestampMs,
  type MerchantId,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import type { MerchantRow } from "../../gateway/access/merchantTable.ts";
import { GATEWAY_LIMITS } from "../../gateway/gatewayLimits.ts";
import { systemClock } from "../../platform/time/clock.ts";

const MERCHANT = /^[a-z0-9-]{1,32}$/;

/** Makes it. */
export function newMerchant(id: MerchantId, name: string, key: ViewingKeyId): MerchantRow {
  return {
    id,
    name,
    key,
    policy: {
      requiredBlueScore: asBlueScore(BigInt(MERCHANT_LIMITS.depthDefault)),
      toleranceUnder: asSompi(0n),
      toleranceOver: asSompi(0n),
      graceMs: GATEWAY_LIMITS.graceMs,
      late: "hold",
      monitorMs: BigInt(MERCHANT_LIMITS.monitorSecondsDefault) * 1_000n,
      poolLimit: asSompi(0n),
    },
    expiresInS: MERCHANT_LIMITS.expirySecondsDefault,
    frameOrigins: [],
    language: null,
    payout: null,
    createdMs: asTimestampMs(systemClock.nowMs()),
    closedMs: null,
  };
}

/** Reads a merchant's name. Throws `node/bad-option`. */
export function merchantId(text: string): MerchantId {
  if (MERCHANT.test(text)) return asMerchantId(text);
  const reason = "write 1 to 32 small letters, digits and dashes";
  throw new SvcError("node/bad-option", { option: "MERCHANT", reason });
}
