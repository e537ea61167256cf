/**
 * What the operator's program beside the node asks about refunds that its wallets pay, each a `POST` that the scanner's secret signs
 * (`Svc-Signature`): `due` gives the refunds that are approved or sent and due, `change` takes what a wallet was asked and answered.
 * Each may be sent again.
 */
import type * as v from "valibot";
import { asRefundId } from "@svc/shared/base/brand.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readPart } from "@svc/shared/protocol/contract/requestParts.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import { PAYOUT_PATH, payoutChange, payoutQuestion } from "@svc/shared/invoice/payoutCalls.ts";
import { readTimeCursor, timeCursor } from "@svc/shared/protocol/contract/timeCursor.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { bodyJson } from "../../platform/bodyJson.ts";
import { edgeNow } from "../../platform/edgeClock.ts";
import { answered } from "../../platform/objectAnswer.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import { RefundStore, type DuePlace } from "../refundStore.ts";
import { signedBody } from "../signedBody.ts";

/** Characters of a foreign path in an error. */
const SHOWN = 80;
const CURSOR = { prefix: "ref", digits: 15, field: "after" };

/**
 * Answers a call. Rejects with `gateway/bad-key` for a wrong signature, `http/body-too-large`, what is wrong with the body,
 * `gateway/no-refund`, and as `reduceRefund` throws.
 */
export async function payoutCall(request: Request, env: GatewayEnv): Promise<Response> {
  const body = await signedBody(request, env.SVC_INGEST_SECRET, MERCHANT_LIMITS.bodyBytes);
  const { pathname } = new URL(request.url);
  const json = bodyJson(body);
  switch (pathname.slice(PAYOUT_PATH.length)) {
    case "due":
      return answerOf(await due(env, readPart(payoutQuestion, json, "body")));
    case "change":
      return answerOf(await change(env, readPart(payoutChange, json, "body")));
    default:
      throw new SvcError("http/not-found", { path: pathname.slice(0, SHOWN) });
  }
}

async function due({ DB }: GatewayEnv, { after }: v.InferOutput<typeof payoutQuestion>) {
  const limit = INVOICE_LIMITS.payoutRows;
  const place = after === null ? null : placeOf(after);
  const rows = await new RefundStore(DB).due(edgeNow(), place, limit);
  const last = rows.at(-1);
  const refunds = rows.map(({ refund, key, index }) => ({ refund, key, index }));
  const isLast = rows.length < limit || last === undefined;
  return { refunds, next: isLast ? null : timeCursor(last.dueMs, last.id) };
}

async function change(
  { DB, INVOICES }: GatewayEnv,
  { id, inputs }: v.InferOutput<typeof payoutChange>,
) {
  const invoice = await new RefundStore(DB).invoiceOf(id);
  if (invoice === null) throw new SvcError("gateway/no-refund", {});
  const told = { id, merchant: null, inputs, request: null };
  answered(await INVOICES.getByName(invoice).changeRefund(told));
  return { id };
}

/** 64-bit numbers are decimal text. */
function answerOf(value: object): Response {
  return new Response(stableJson(value), { headers: { "content-type": "application/json" } });
}

function placeOf(cursor: string): DuePlace {
  const { ms, id } = readTimeCursor(cursor, CURSOR);
  return { dueMs: Number(ms), id: asRefundId(id) };
}
