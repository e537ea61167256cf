/** Statuses and sentences of the wallet API, as the table of its specification gives them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { serverOfTest } from "../testkit/serverOfTest.ts";
import type { HttpAnswer } from "../../platform/testkit/askHttp.ts";
import { AS_JSON, ROUTE_NAMES, WITH_TOKEN } from "../testkit/walletServerFixture.ts";

const VECTOR = new URL("../../../tests/vectors/walletd-refusals.json", import.meta.url);
const row = v.custom<RouteName>((name) => ROUTE_NAMES.some((known) => known === name));
const { refusals } = v.parse(
  v.object({
    refusals: v.array(
      v.object({
        case: v.string(),
        status: v.number(),
        /** Null where the specification gives none; what it leaves open stands behind it where it ends with an ellipsis. */
        sentence: v.nullable(v.string()),
        asked: v.optional(
          v.object({
            row,
            body: v.optional(v.unknown()),
            headers: v.optional(v.record(v.string(), v.string())),
          }),
        ),
        /** What the handler ends with. */
        thrown: v.optional(v.object({ code: v.string(), data: v.record(v.string(), v.string()) })),
        bearer: v.optional(v.string()),
        custodial: v.optional(v.boolean()),
        bodyBytes: v.optional(v.number()),
      }),
    ),
  }),
  JSON.parse(readFileSync(VECTOR, "utf8")),
);
type Refusal = (typeof refusals)[number];

const { start, at } = serverOfTest();

describe("statuses and sentences", () => {
  it.each(refusals)("$case: $status", async (refusal) => {
    const { status, body } = await answerTo(refusal);
    const { error, code }: { readonly error: unknown; readonly code: unknown } = JSON.parse(body);
    const { sentence } = refusal;
    expect([status, typeof code]).toEqual([refusal.status, "string"]);
    if (sentence === null) expect(error).toMatch(/\S/);
    else if (!sentence.endsWith("…")) expect(error).toBe(sentence);
    else {
      expect(error).toMatch(/: \S+ /);
      expect(String(error).startsWith(sentence.slice(0, -1))).toBe(true);
    }
    if (refusal.asked !== undefined) expect(at().seen).toEqual([]);
  });

  it("name no recipient where an address is that of a claim", async () => {
    const thrown = new SvcError("address/bad-checksum", {});
    await start({ handlers: { verify: () => Promise.reject(thrown) } });
    const { body } = await at().post(WALLET_ROUTES.verify.path, WALLET_ROUTES.verify.example.body);
    expect(JSON.parse(body).error).toMatch(/^The address has a typing error/);
  });
});

async function answerTo({
  asked,
  thrown,
  bearer,
  custodial,
  bodyBytes,
}: Refusal): Promise<HttpAnswer> {
  const fails = thrown === undefined ? null : SvcError.fromJson(thrown);
  await start({
    bearer: bearer ?? null,
    credentials: { allowDefaultToken: false, custodial: custodial ?? true },
    ...(fails === null ? {} : { handlers: { send: () => Promise.reject(fails) } }),
  });
  const { row: name, body, headers } = asked ?? { row: "send" as const };
  const { method, path, example } = WALLET_ROUTES[name];
  const all = { ...WITH_TOKEN, ...AS_JSON, ...headers };
  if (method === "GET") return at().ask(path, { headers: all });
  const shown = "body" in example ? example.body : {};
  const sent = bodyBytes === undefined ? (body ?? shown) : " ".repeat(bodyBytes);
  return at().post(path, sent, all);
}
