/** The OpenAPI document of the gateway as others see it: a public validator, and types that a public generator makes of it. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { GATEWAY_ROUTES } from "@svc/shared/protocol/gateway/gatewayRoutes.ts";
import { gatewayDocument } from "@svc/shared/protocol/gateway/openApi.ts";
import { expectCompiles } from "../walletd/expectCompiles.ts";

/** A caller's program: it compiles only when the generated types are those of the API. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths, webhooks } from "./api.ts";
const client = createClient<paths>({ baseUrl: "http://127.0.0.1:1" });
export async function ask(orderId: string): Promise<string> {
  const header = { "Idempotency-Key": "order-17" };
  const made = await client.POST("/api/v1/invoices", {
    params: { header },
    body: { orderId, amountSompi: "150000000", expiresIn: 900, metadata: { shop: "a" } },
  });
  return made.error === undefined ? made.data.dueSompi : made.error.requestId;
}
export async function settled(): Promise<readonly string[]> {
  const query = { status: ["confirmed" as const, "overpaid" as const], limit: 10 };
  const { data } = await client.GET("/api/v1/invoices", { params: { query } });
  return data?.invoices.map(({ id }) => id) ?? [];
}
export async function change(id: string): Promise<number | undefined> {
  const params = { path: { id } };
  await client.DELETE("/api/v1/webhooks/{id}", { params });
  const { data } = await client.PATCH("/api/v1/invoices/{id}", { params, body: { metadata: {} } });
  return data?.version;
}
type Event = webhooks["event"]["post"]["requestBody"]["content"]["application/json"];
export const statusOf = (event: Event): string | undefined => event.data?.invoice?.status;
// @ts-expect-error an invoice has the number of an order
void client.POST("/api/v1/invoices", { body: { amountSompi: "1" } });
// @ts-expect-error money is text
void client.POST("/api/v1/invoices", { body: { orderId: "1", amountSompi: 1 } });
// @ts-expect-error there is no such call
void client.GET("/api/v1/nothing");
`;

function plainDocument(): object {
  const document: unknown = JSON.parse(JSON.stringify(gatewayDocument()));
  if (typeof document !== "object" || document === null) throw new Error("no document");
  return document;
}

describe("the OpenAPI document of the gateway", () => {
  it("is valid, names every call, and its examples are in it", async () => {
    const document = plainDocument();
    const validator = new Validator();
    expect(await validator.validate({ ...document })).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    for (const row of Object.values(GATEWAY_ROUTES)) {
      const status = "isSocket" in row ? 101 : "status" in row ? row.status : 200;
      const place = ["paths", row.path, row.method.toLowerCase(), "responses", String(status)];
      expect(document).toHaveProperty(place);
      if (!("isStream" in row)) {
        expect(JSON.stringify(document)).toContain(JSON.stringify(row.example.answer));
      }
    }
  });

  it("that is damaged is found by the same validator", async () => {
    const document = { ...plainDocument(), paths: { "no-slash": { get: 7 } } };
    expect(await new Validator().validate(document)).toMatchObject({ valid: false });
  });

  it("gives types with which a program compiles", async () => {
    await expectCompiles("gateway-openapi", plainDocument(), PROGRAM);
  });
});
