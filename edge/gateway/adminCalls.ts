/**
 * What the operator does with merchants and API keys, and what he is told of his scanner, each a `POST` that `SVC_ADMIN_SECRET` signs
 * (`Svc-Signature`). Each may be sent again: it is done once. The operator makes an API key himself and tells its SHA-256 alone.
 */
import * as v from "valibot";
import type { MerchantId, TimestampMs } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readPart } from "@svc/shared/protocol/contract/requestParts.ts";
import { invoicePolicy } from "@svc/shared/invoice/invoiceCodec.ts";
import { faultSentenceOf } from "@svc/shared/light/nodeFault.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { bodyJson } from "../platform/bodyJson.ts";
import { edgeNow } from "../platform/edgeClock.ts";
import { ApiKeyStore } from "./apiKeyStore.ts";
import { readChainTip } from "./scanner/chainTip.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { MerchantStore } from "./merchantStore.ts";
import { scannerHealth } from "./scanner/scannerHealth.ts";
import { signedBody } from "./signedBody.ts";

/** What the paths of these calls begin with. */
export const ADMIN_PATH = "/admin/v1/";
/** Characters of a foreign path in an error. */
const SHOWN = 80;

const text = v.pipe(v.string(), v.maxLength(MERCHANT_LIMITS.reasonChars));
const merchant = v.object({
  id: fields.merchantId,
  name: v.pipe(text, v.minLength(1)),
  key: fields.viewingKeyId,
  policy: invoicePolicy,
  expiresInS: v.pipe(
    fields.u32,
    v.minValue(MERCHANT_LIMITS.expirySecondsMin),
    v.maxValue(MERCHANT_LIMITS.expirySecondsMax),
  ),
  frameOrigins: v.array(text),
  language: v.nullable(text),
});
const apiKey = v.object({
  merchant: fields.merchantId,
  hash: fields.hash32,
  mode: v.picklist(["live", "test"]),
  scopes: v.array(v.picklist(KEY_SCOPES)),
  label: text,
  expiresMs: v.nullable(fields.timestampMs),
});
const revoked = v.object({ merchant: fields.merchantId, id: v.string() });
const listed = v.object({ after: v.nullable(fields.merchantId) });
const owner = v.object({ merchant: fields.merchantId });

/**
 * Answers a call: `merchants`, `merchants/list`, `keys`, `keys/list`, `keys/revoke`, `scanner`. Rejects with `gateway/bad-key` for a wrong signature, `gateway/merchant-exists`,
 * `gateway/no-merchant`, `gateway/no-key`, and with what is wrong with the body.
 */
export async function adminCall(request: Request, env: GatewayEnv): Promise<Response> {
  const body = await signedBody(request, env.SVC_ADMIN_SECRET, MERCHANT_LIMITS.bodyBytes);
  const { pathname } = new URL(request.url);
  const json = bodyJson(body);
  switch (pathname.slice(ADMIN_PATH.length)) {
    case "merchants":
      return Response.json(await addMerchant(env, readPart(merchant, json, "body")));
    case "merchants/list":
      return Response.json(await listMerchants(env, readPart(listed, json, "body")));
    case "keys":
      return Response.json(await addKey(env, readPart(apiKey, json, "body")));
    case "keys/list":
      return Response.json(await listKeys(env, readPart(owner, json, "body")));
    case "keys/revoke":
      return Response.json(await revokeKey(env, readPart(revoked, json, "body")));
    case "scanner":
      return Response.json(await showScanner(env));
    default:
      throw new SvcError("http/not-found", { path: pathname.slice(0, SHOWN) });
  }
}

async function addMerchant({ DB }: GatewayEnv, row: v.InferOutput<typeof merchant>) {
  const isNew = await new MerchantStore(DB, edgeNow).add({ ...row, closedMs: null });
  if (!isNew) throw new SvcError("gateway/merchant-exists", { merchant: row.id });
  return { id: row.id };
}

async function listMerchants({ DB }: GatewayEnv, { after }: v.InferOutput<typeof listed>) {
  const rows = await new MerchantStore(DB, edgeNow).list(after, EDGE_LIMITS.merchantRows);
  const merchants = rows.map(({ id, name, key }) => ({ id, name, key }));
  const next = rows.length < EDGE_LIMITS.merchantRows ? null : (rows.at(-1)?.id ?? null);
  return { merchants, next };
}

async function listKeys({ DB }: GatewayEnv, { merchant: id }: v.InferOutput<typeof owner>) {
  await requireMerchant(DB, id);
  const rows = await new ApiKeyStore(DB).list(id);
  const keys = rows.map(({ id: name, label, scopes, createdMs, revokedMs }) => {
    const times = { createdMs: String(createdMs), revokedMs: textOf(revokedMs) };
    return { id: name, label, scopes, ...times };
  });
  return { keys };
}

async function addKey({ DB }: GatewayEnv, { hash, ...wanted }: v.InferOutput<typeof apiKey>) {
  await requireMerchant(DB, wanted.merchant);
  const { id } = await new ApiKeyStore(DB).add(hash, wanted, edgeNow());
  return { id };
}

async function revokeKey({ DB }: GatewayEnv, { merchant: of, id }: v.InferOutput<typeof revoked>) {
  const isDone = await new ApiKeyStore(DB).revoke(of, id, edgeNow());
  if (!isDone) throw new SvcError("gateway/no-key", { id: id.slice(0, SHOWN) });
  return { id };
}

/** What the scanner told last. What it says against its node is its claim. */
async function showScanner({ DB, SVC_SCANNER }: GatewayEnv) {
  const told = await readChainTip(DB);
  const { reasons } = scannerHealth(told, edgeNow());
  const name = { scanner: SVC_SCANNER, reasons };
  if (told === null) return { ...name, told: null };
  const { blueScore, ladder, blockMs, toldMs, fault } = told;
  const claim = fault && {
    ...{ code: fault.code, sentence: faultSentenceOf(fault), sinceMs: String(fault.sinceMs) },
  };
  const times = { blockMs: String(blockMs), toldMs: String(toldMs) };
  const proves = ladder !== null;
  return { ...name, told: { blueScore: String(blueScore), ...times, proves, fault: claim } };
}

async function requireMerchant(db: D1Database, merchant: MerchantId): Promise<void> {
  const found = await new MerchantStore(db, edgeNow).row(merchant);
  if (found === null) throw new SvcError("gateway/no-merchant", { merchant });
}

function textOf(ms: TimestampMs | null): string | null {
  return ms === null ? null : String(ms);
}
