/**
 * `POST /ingest/v1/facts`: a batch of facts, signed by the scanner as webhooks are (`Svc-Signature`). 200 for one that is applied, now or
 * before; 409 for one that leaves a number out. Both say which number is next, and which viewing keys run out of addresses.
 */
import * as v from "valibot";
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import { verifySvcSignature } from "@svc/shared/protocol/webhook/signature.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { edgeNow } from "../platform/edgeClock.ts";
import { answered } from "../platform/objectAnswer.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";

/** Where a scanner tells facts. */
export const INGEST_PATH = "/ingest/v1/facts";
/** The name of the only object. */
const SCANNER = "scanner";

const low = v.object({ viewing_key: v.string(), addresses: v.number() });

/** Answers a batch. Rejects with `gateway/bad-key` for a wrong signature, `codec/count-too-large`, and with what is wrong with the batch. */
export async function ingestFacts(request: Request, env: GatewayEnv): Promise<Response> {
  const body = await bodyWithin(request, INVOICE_LIMITS.factBatchBytes);
  const secret = env.SVC_INGEST_SECRET ?? "";
  const now = edgeNow() / 1_000n;
  // A secret that is not set would be one that everybody knows.
  const verdict =
    secret === "" ? "bad-signature" : await verifySvcSignature(secret, request.headers, body, now);
  if (verdict !== "ok") throw new SvcError("gateway/bad-key", {});
  const { isApplied, next } = answered(
    await env.SCANNERS.getByName(SCANNER).ingest(new TextDecoder().decode(body)),
  );
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
