/**
 * `POST /ingest/v1/facts`: a batch of facts, signed by the scanner as webhooks are (`Svc-Signature`). 200 for one that is applied, now or
 * before; 409 for one that leaves a number out. Both say which number is next, and which viewing keys run out of addresses. 409 with
 * `gateway/idempotency-conflict` for another batch with the number of the last one.
 */
import * as v from "valibot";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { answered } from "../platform/objectAnswer.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { signedBody } from "./signedBody.ts";

/** Where a scanner tells facts. */
export const INGEST_PATH = "/ingest/v1/facts";
/** The name of the only object. */
const SCANNER = "scanner";

const low = v.object({ viewing_key: v.string(), addresses: v.number() });

/** Answers a batch. Rejects with `gateway/bad-key` for a wrong signature, `http/body-too-large`, and with what is wrong with the batch. */
export async function ingestFacts(request: Request, env: GatewayEnv): Promise<Response> {
  const body = await signedBody(request, env.SVC_INGEST_SECRET, INVOICE_LIMITS.factBatchBytes);
  const { isApplied, next } = answered(await env.SCANNERS.getByName(SCANNER).ingest(body));
  const answer = { applied: isApplied, next, low: await lowKeys(env.DB) };
  return Response.json(answer, { status: isApplied ? 200 : 409 });
}

async function lowKeys(db: D1Database) {
  const { results } = await db
    .prepare(
      "SELECT viewing_key, addresses FROM address_stock WHERE addresses < ?1 ORDER BY addresses LIMIT ?2",
    )
    .bind(EDGE_LIMITS.addressLow, EDGE_LIMITS.lowKeys)
    .all();
  return results.map((row) => {
    const { viewing_key: key, addresses } = v.parse(low, row);
    return { key, addresses };
  });
}
