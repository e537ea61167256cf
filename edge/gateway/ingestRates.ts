/** `POST /ingest/v1/rates`: prices of a coin, signed by the scanner as facts are. What is older than what is known changes nothing. */
import { decodeToldRates } from "@svc/shared/gateway/toldRates.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { edgeNow } from "../platform/edgeClock.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { RateStore } from "./rateStore.ts";
import { signedBody } from "./signedBody.ts";

/** Where a scanner tells prices. */
export const RATES_PATH = "/ingest/v1/rates";

/** Answers them. Rejects with `gateway/bad-key` for a wrong signature, `http/body-too-large`, and with what is wrong with the prices. */
export async function ingestRates(request: Request, env: GatewayEnv): Promise<Response> {
  const body = await signedBody(request, env.SVC_INGEST_SECRET, MERCHANT_LIMITS.bodyBytes);
  const told = decodeToldRates(body);
  await new RateStore(env.DB, edgeNow).take(told);
  return Response.json({ taken: told.length });
}
