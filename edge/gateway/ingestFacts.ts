/**
 * `POST /ingest/v1/facts`: a batch of facts, which the scanner signs (`Svc-Signature`). 200 for one that is applied, now or
 * before; 409 for one that leaves a number out. Both say which number is next, and which viewing keys run out of addresses. 409 with
 * `gateway/idempotency-conflict` for another batch with the number of the last one.
 */
import * as v from "valibot";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { answered } from "../platform/objectAnswer.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { SCANNER_OBJECT } from "./objects/scannerObject.ts";
import { signedBody } from "./signedBody.ts";

/** Where a scanner tells facts. */
export const INGEST_PATH = "/ingest/v1/facts";

/** D1 binds numbers as REAL, with which a division would leave a fraction. */
const LOW_KEYS = `
WITH few AS (
  SELECT viewing_key, addresses, row_number() OVER (ORDER BY viewing_key) - 1 AS place, count(*) OVER () AS total
  FROM address_stock WHERE addresses < ?1
)
SELECT viewing_key, addresses FROM few
WHERE place / CAST(?2 AS INTEGER) = CAST(?3 AS INTEGER) % ((total - 1) / CAST(?2 AS INTEGER) + 1)
ORDER BY addresses`;

const low = v.object({ viewing_key: v.string(), addresses: v.number() });

/** Answers a batch. Rejects with `gateway/bad-key` for a wrong signature, `http/body-too-large`, and with what is wrong with the batch. */
export async function ingestFacts(request: Request, env: GatewayEnv): Promise<Response> {
  const body = await signedBody(request, env.SVC_INGEST_SECRET, INVOICE_LIMITS.factBatchBytes);
  const { isApplied, next } = answered(await env.SCANNERS.getByName(SCANNER_OBJECT).ingest(body));
  const answer = { applied: isApplied, next, low: await lowKeys(env.DB, next) };
  return Response.json(answer, { status: isApplied ? 200 : 409 });
}

/**
 * Viewing keys with few addresses. Where there are more than an answer holds, each number of a batch has a page of its own: keys that
 * nobody refills, such as one that the scanner lacks, hide no other.
 */
async function lowKeys(db: D1Database, next: string) {
  const { results } = await db
    .prepare(LOW_KEYS)
    .bind(EDGE_LIMITS.addressLow, EDGE_LIMITS.lowKeys, Number(BigInt.asUintN(32, BigInt(next))))
    .all();
  return results.map((row) => {
    const { viewing_key: key, addresses } = v.parse(low, row);
    return { key, addresses };
  });
}
