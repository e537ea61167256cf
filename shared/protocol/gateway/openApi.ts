/** The OpenAPI 3.1 document of the gateway API. */
import { openApiOf, type ApiDescription, type OpenApiJson } from "../contract/openApi.ts";
import { jsonSchemaOf } from "../contract/routeSchemas.ts";
import { WEBHOOK_HEADERS } from "../webhook/signature.ts";
import { gatewayCodesOf } from "./gatewayCodes.ts";
import { GATEWAY_RECORDS } from "./gatewayRecords.ts";
import { GATEWAY_ROUTES } from "./gatewayRoutes.ts";
import type { GatewayCredential, GatewayKinds } from "./route.ts";
import { TILL_COOKIE } from "./routes/tillRoutes.ts";
import { EXAMPLE_EVENT, webhookEvent } from "./webhookEvent.ts";

/** The password of a till is in the body. */
const SECURITY: Readonly<Record<GatewayCredential, OpenApiJson>> = {
  none: {},
  password: {},
  key: { apiKey: [] },
  till: { till: [] },
};

const GATEWAY_API: ApiDescription<GatewayKinds> = {
  title: "Merchant gateway",
  about:
    "Amounts are decimal text of sompi, times are Unix seconds. Fields that a client does not know are to be passed over.",
  server: "http://127.0.0.1:8510",
  rows: GATEWAY_ROUTES,
  records: GATEWAY_RECORDS,
  error: {
    type: "object",
    description:
      "A sentence for people, a code for programs, the field at fault where there is one, the id of the request in the gateway's log, and the data of the code beside them.",
    properties: {
      error: { type: "string" },
      code: { type: "string" },
      field: { type: "string" },
      requestId: { type: "string" },
    },
    required: ["error", "code", "requestId"],
    additionalProperties: true,
  },
  securitySchemes: {
    apiKey: { type: "http", scheme: "bearer" },
    till: { type: "apiKey", in: "cookie", name: TILL_COOKIE },
  },
  securityOf: ({ credential }) => [SECURITY[credential]],
  codesOf: gatewayCodesOf,
  keyAbout:
    "A repetition under the same key makes nothing more and has the same status; the same key with another body is refused.",
  keyHeaders: {
    "Idempotent-Replayed": {
      description: "`true` where an earlier call under this key had made what is answered.",
      schema: { type: "string", enum: ["true"] },
    },
  },
  webhooks: { event: { post: eventOperation() } },
};

/** The document. */
export function gatewayDocument(): OpenApiJson {
  return openApiOf(GATEWAY_API);
}

/** What an endpoint of the merchant is sent. */
function eventOperation(): OpenApiJson {
  const about: Readonly<Record<string, string>> = {
    [WEBHOOK_HEADERS.svc]:
      "`t=<seconds>,v1=<hex>`: HMAC-SHA256 over seconds, a point and the body.",
    [WEBHOOK_HEADERS.id]: "The id of the event.",
    [WEBHOOK_HEADERS.timestamp]: "Unix seconds of the sending.",
    [WEBHOOK_HEADERS.signature]: "The signature of Standard Webhooks.",
  };
  return {
    operationId: "receiveEvent",
    summary: "Hears of an invoice. Deliveries may come twice and out of order.",
    parameters: Object.entries(about).map(([name, description]) => {
      return { name, in: "header", required: true, description, schema: { type: "string" } };
    }),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: jsonSchemaOf(webhookEvent, GATEWAY_RECORDS),
          example: EXAMPLE_EVENT,
        },
      },
    },
    responses: { 200: { description: "Taken. Any status from 200 to 299 will do." } },
  };
}
