/**
 * The OpenAPI document of the wallet daemon as others see it: a public validator, and a client that a public generator makes
 * types for, against the listening server.
 */
import { Validator } from "@seriousme/openapi-schema-validator";
import createClient from "openapi-fetch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  TOKEN,
  WalletServerFixture,
} from "@svc/node-server/walletd/testkit/walletServerFixture.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { expectCompiles } from "./expectCompiles.ts";

/** A caller's program: it compiles only when the generated types are those of the API. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./api.ts";
const client = createClient<paths>({ baseUrl: "http://127.0.0.1:1" });
export async function pay(to: string): Promise<string> {
  const header = { "Idempotency-Key": "order-17" };
  const sent = await client.POST("/api/wallet/send", {
    params: { header },
    body: { to, amount_sompi: "150000000", memo: "invoice 17" },
  });
  if (sent.error !== undefined) return sent.error.code;
  return "txid" in sent.data ? sent.data.amount_sompi : sent.data.job;
}
export async function ready(): Promise<boolean | undefined> {
  const { data } = await client.GET("/api/status");
  return data?.spend_ready;
}
export async function phase(id: string): Promise<string | undefined> {
  const { data } = await client.GET("/api/jobs/{id}", { params: { path: { id } } });
  return data?.phase;
}
// @ts-expect-error a payment has a payee
void client.POST("/api/wallet/send", { body: { amount_sompi: "1" } });
// @ts-expect-error there is no such call
void client.GET("/api/wallet/nothing");
`;

let fixture: WalletServerFixture;

beforeEach(async () => {
  fixture = await WalletServerFixture.start();
});
afterEach(() => fixture.stop());

async function documentOf(): Promise<object> {
  const { status, body } = await fixture.ask("/openapi.json");
  expect(status).toBe(200);
  const document: unknown = JSON.parse(body);
  if (typeof document !== "object" || document === null) throw new Error("no document");
  return document;
}

describe("the OpenAPI document", () => {
  it("is valid, names every call, and its examples are in it", async () => {
    const document = await documentOf();
    const validator = new Validator();
    expect(await validator.validate({ ...document })).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    for (const { path, method, example } of Object.values(WALLET_ROUTES)) {
      expect(document).toHaveProperty(["paths", path, method.toLowerCase(), "responses", "200"]);
      expect(JSON.stringify(document)).toContain(JSON.stringify(example.answer));
    }
  });

  it("that is damaged is found by the same validator", async () => {
    const document = { ...(await documentOf()), paths: { "no-slash": { get: 7 } } };
    expect(await new Validator().validate(document)).toMatchObject({ valid: false });
  });

  it("gives types with which a program compiles", async () => {
    await expectCompiles("wallet-openapi", await documentOf(), PROGRAM);
  });

  it("describes calls that work", async () => {
    type Api = {
      readonly "/api/wallet/send": {
        readonly post: {
          readonly requestBody: { readonly content: { readonly "application/json": object } };
          readonly responses: {
            readonly 200: { readonly content: { readonly "application/json": object } };
            readonly 400: { readonly content: { readonly "application/json": object } };
          };
        };
      };
      readonly "/api/status": {
        readonly get: {
          readonly responses: {
            readonly 200: { readonly content: { readonly "application/json": object } };
          };
        };
      };
    };
    const client = createClient<Api>({
      baseUrl: fixture.server.address,
      headers: { "X-Wallet-Token": TOKEN },
    });
    const sent = await client.POST("/api/wallet/send", {
      body: { ...WALLET_ROUTES.send.example.body },
    });
    expect(sent.data).toEqual(WALLET_ROUTES.send.example.answer);
    const refused = await client.POST("/api/wallet/send", { body: { to: 7 } });
    expect(refused.error).toMatchObject({ code: "api/wrong-type", field: "to" });
    expect((await client.GET("/api/status")).data).toEqual(WALLET_ROUTES.status.example.answer);
  });
});
