/**
 * Writes `docs/programs/gateway-api.md` from the text beside it (`gateway-api.in.md`) and the table of the gateway API.
 *
 * `--check` writes nothing and exits 1 when the page is out of date.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { ERRORS } from "@svc/shared/base/errors.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { GATEWAY_RECORDS } from "@svc/shared/protocol/gateway/gatewayRecords.ts";
import { GATEWAY_ROUTES } from "@svc/shared/protocol/gateway/gatewayRoutes.ts";
import type {
  GatewayCredential,
  GatewayGroup,
  GatewayKinds,
} from "@svc/shared/protocol/gateway/route.ts";
import { INVOICE_EVENT_TYPES } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { renderRecords, renderRows } from "./apiPage.ts";
import { fillSlots } from "./generateProgramPage.ts";
import { writeGenerated } from "./writeGenerated.ts";

const TEXT = new URL("../../docs/programs/gateway-api.in.md", import.meta.url);

const TITLES: Readonly<Record<GatewayGroup, string>> = {
  invoices: "Invoices",
  checkout: "Checkout",
  refunds: "Refunds",
  claims: "Claims of refunds",
  webhooks: "Webhooks",
  x402: "x402: payments by the request",
  prices: "Prices",
  till: "Tills",
  key: "The key",
  health: "State of the gateway",
};

const CREDENTIALS: Readonly<Record<GatewayCredential, string>> = {
  none: "none",
  key: "API key",
  till: "cookie of a till",
  password: "password of a till",
};

/** The page. */
export function renderGatewayApi(rows: readonly RouteContract<GatewayKinds>[]): string {
  const words = {
    titles: TITLES,
    credentials: CREDENTIALS,
    sentenceOf: (code: keyof typeof ERRORS) => ERRORS[code].sentence,
    records: GATEWAY_RECORDS,
  };
  const { bodyBytes, createsPerMinute, readsPerMinute, checkoutReadsPerMinute } = MERCHANT_LIMITS;
  const { publicCallsPerMinute, tillSalesPerMinute, tillSignInsPerMinute } = MERCHANT_LIMITS;
  return fillSlots(readFileSync(TEXT, "utf8"), {
    routes: renderRows(rows, words),
    records: renderRecords(GATEWAY_RECORDS),
    bodyKib: String(bodyBytes / 1024),
    keyChars: String(PROTOCOL_LIMITS.idempotencyKeyChars),
    createsPerMinute: String(createsPerMinute),
    readsPerMinute: String(readsPerMinute),
    checkoutReadsPerMinute: String(checkoutReadsPerMinute),
    publicCallsPerMinute: String(publicCallsPerMinute),
    tillSalesPerMinute: String(tillSalesPerMinute),
    tillSignInsPerMinute: String(tillSignInsPerMinute),
    eventTypes: INVOICE_EVENT_TYPES.map((type) => `\`${type}\``).join(", "),
  });
}

async function main(check: boolean): Promise<number> {
  const page = renderGatewayApi(Object.values(GATEWAY_ROUTES));
  return writeGenerated(new Map([["docs/programs/gateway-api.md", page]]), check);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
