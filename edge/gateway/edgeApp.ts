/** The gateway's HTTP server at the edge: the API of `shared/gateway` over objects and D1, and what scanner and operator tell. */
import { getConnInfo } from "hono/cloudflare-workers";
import type { Hono } from "hono";
import { requireAddressForm } from "@svc/shared/wallet/plan/addressText.ts";
import { asAddressText } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CallRates } from "@svc/shared/gateway/callRates.ts";
import { gatewayApp } from "@svc/shared/gateway/gatewayApp.ts";
import { checkoutHandlers } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import { invoiceHandlers } from "@svc/shared/gateway/handlers/invoiceHandlers.ts";
import { receiptHandlers } from "@svc/shared/gateway/handlers/receiptHandlers.ts";
import { refundHandlers } from "@svc/shared/gateway/handlers/refundHandlers.ts";
import { serviceHandlers } from "@svc/shared/gateway/handlers/serviceHandlers.ts";
import { webhookHandlers } from "@svc/shared/gateway/handlers/webhookHandlers.ts";
import type { CheckoutAssets } from "@svc/shared/gateway/page/checkoutAssets.ts";
import type { AddressCheck } from "@svc/shared/gateway/refundPort.ts";
import { PAYOUT_PATH } from "@svc/shared/invoice/payoutCalls.ts";
import { gatewayRefusalOf } from "@svc/shared/protocol/gateway/gatewayRefusal.ts";
import type { WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { lowerCaseAddress } from "@svc/shared/wallet/plan/payee.ts";
import { edgeNow } from "../platform/edgeClock.ts";
import { SecretBox } from "../platform/secretBox.ts";
import { adminCall, ADMIN_PATH } from "./adminCalls.ts";
import { edgePlace } from "./edgePlace.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { hookTarget } from "./hookTarget.ts";
import { ingestFacts, INGEST_PATH } from "./ingestFacts.ts";
import { ingestRates, RATES_PATH } from "./ingestRates.ts";
import { MerchantStore } from "./merchantStore.ts";
import { RateStore } from "./rateStore.ts";
import { scannerHealth } from "./scanner/scannerHealth.ts";
import { EdgeInvoices } from "./ports/edgeInvoices.ts";
import { edgeReceipts } from "./ports/edgeReceipts.ts";
import { EdgeRefunds } from "./ports/edgeRefunds.ts";
import { EdgeRates } from "./ports/edgeRates.ts";
import { EdgeWatch } from "./ports/edgeWatch.ts";
import { EdgeWebhooks } from "./ports/edgeWebhooks.ts";
import { HeldAssets } from "./ports/heldAssets.ts";
import { HeldTip } from "./ports/heldTip.ts";
import { payoutCall } from "./payouts/payoutCall.ts";
import { socketHandlers } from "./ports/socketHandlers.ts";

/** Answers requests. */
export type EdgeApp = (request: Request) => Promise<Response>;

const REQUEST_ID_BYTES = 8;
/** A Worker is not stopped. */
const NEVER = new AbortController().signal;

/** Makes the server of an environment. */
export function edgeApp(env: GatewayEnv): EdgeApp {
  const tip = new HeldTip(env.DB);
  const assets = new HeldAssets(env.ASSETS);
  const rates = new EdgeRates(env.RATES, edgeNow);
  let held: EdgeApi | null = null;
  const api = async (): Promise<EdgeApi> => {
    const files = await assets.files();
    // Where the files cannot be read now, this request has an app without them.
    if (files === null) return apiOf(env, { tip, rates, assets: new Map() });
    return (held ??= apiOf(env, { tip, rates, assets: files }));
  };
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "POST" && pathname === INGEST_PATH) {
      return ingestFacts(request, env).catch(refused);
    }
    if (request.method === "POST" && pathname === RATES_PATH) {
      return ingestRates(request, env).catch(refused);
    }
    if (request.method === "POST" && pathname.startsWith(PAYOUT_PATH)) {
      return payoutCall(request, env).catch(refused);
    }
    if (request.method === "POST" && pathname.startsWith(ADMIN_PATH)) {
      return adminCall(request, env).catch(refused);
    }
    try {
      await tip.refresh();
    } catch (thrown) {
      return refused(new SvcError("http/unavailable", { reason: "no database" }, thrown));
    }
    return (held ?? (await api())).fetch(request);
  };
}

/** Anything but `loopback` is `public`: a mistyped variable opens nothing. */
export function reachOf({
  SVC_WEBHOOK_REACH,
}: Pick<GatewayEnv, "SVC_WEBHOOK_REACH">): WebhookReach {
  return SVC_WEBHOOK_REACH === "loopback" ? SVC_WEBHOOK_REACH : "public";
}

type EdgeApi = Hono<{ Variables: { requestId: string } }>;

type EdgeApiParts = {
  readonly tip: HeldTip;
  readonly rates: CallRates;
  readonly assets: CheckoutAssets;
};

function apiOf(env: GatewayEnv, { tip, rates, assets }: EdgeApiParts): EdgeApi {
  const merchants = new MerchantStore(env.DB, edgeNow);
  const invoices = new EdgeInvoices({ env, merchants, tip });
  const prices = new RateStore(env.DB, edgeNow);
  const place = () => edgePlace(env, tip.blueScore, edgeNow());
  const webhooks = new EdgeWebhooks({
    ...{ env, merchants, now: edgeNow },
    secrets: () => SecretBox.of(env.SVC_MASTER_KEY),
    checkUrl: (url) => void hookTarget(url, reachOf(env)),
  });
  const refunds = new EdgeRefunds({ env, merchants, now: edgeNow });
  const claims = { refunds, merchants, checkAddress: addressCheckOf(env), place };
  const changes = new EdgeWatch(tip);
  const checkouts = checkoutHandlers({ invoices, merchants, prices, changes, place });
  return gatewayApp({
    handlers: {
      ...invoiceHandlers({ invoices, prices, place }),
      ...receiptHandlers({ invoices, receipts: edgeReceipts(env.INVOICES), place }),
      ...checkouts,
      ...socketHandlers(env.INVOICES, invoices),
      ...webhookHandlers(webhooks),
      ...refundHandlers(claims),
      ...serviceHandlers({ prices, place, health: async () => scannerHealth(tip.told, edgeNow()) }),
    },
    merchants,
    greenfield: {
      ...{ invoices, webhooks, refunds, prices, place, coin: env.SVC_COIN },
      health: async () => scannerHealth(tip.told, edgeNow()),
    },
    till: null,
    pages: {
      ...{ invoices, merchants, place, topUp: checkouts.topUpCheckout },
      ...{ claims, assets, hasSocket: true },
    },
    rates,
    callerOf: (c) => getConnInfo(c).remote.address ?? "unknown",
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    onError: told,
    stopped: NEVER,
  });
}

/** A Worker has no core: it looks at the form alone. Whether an address is a receiver is looked at by whoever pays. */
function addressCheckOf({ SVC_COIN }: Pick<GatewayEnv, "SVC_COIN">): AddressCheck {
  return async (text) => {
    const address = lowerCaseAddress(text.trim());
    requireAddressForm(SVC_COIN.toLowerCase(), address);
    return asAddressText(address);
  };
}

/** A refusal that the API does not make itself. */
function refused(thrown: unknown): Response {
  const error = SvcError.from(thrown);
  const bytes = crypto.getRandomValues(new Uint8Array(REQUEST_ID_BYTES));
  const requestId = `req_${encodeHex(bytes)}`;
  told(error, requestId);
  const { status, headers, body } = gatewayRefusalOf(error, requestId);
  return Response.json(body, { status, headers: { ...headers, "X-Request-Id": requestId } });
}

/** What is nobody's mistake is for the log, with its cause. */
function told(error: SvcError, requestId: string): void {
  if (SvcError.is(error, "internal/unexpected")) console.error(requestId, error);
}
