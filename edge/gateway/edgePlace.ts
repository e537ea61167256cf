/** What records say besides their invoice, at the edge. */
import type { BlueScore, TimestampMs } from "@svc/shared/base/brand.ts";
import type { RecordPlace } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";

const LIVE = "mainnet";

/** Makes it from what the operator has set. */
export function edgePlace(
  { SVC_PUBLIC_URL, SVC_NETWORK }: Pick<GatewayEnv, "SVC_PUBLIC_URL" | "SVC_NETWORK">,
  tip: BlueScore | null,
  nowMs: TimestampMs,
): RecordPlace {
  const livemode = SVC_NETWORK === LIVE;
  return { publicUrl: SVC_PUBLIC_URL, network: SVC_NETWORK, livemode, tip, nowMs };
}
