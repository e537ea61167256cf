/** The WooCommerce plugin against the gateway's contract: the calls that it makes, and the double that its tests use. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { GATEWAY_ROUTES } from "../../shared/protocol/gateway/gatewayRoutes.ts";
import { invoice } from "../../shared/protocol/gateway/invoiceRecord.ts";
import { refund } from "../../shared/protocol/gateway/refundRecord.ts";
import { webhookEvent } from "../../shared/protocol/gateway/webhookEvent.ts";
import { hasPhp } from "./phpTests.ts";

const program = new URL("../../edge/plugin/woocommerce/tests/recordCalls.php", import.meta.url);
const RECORDS = { invoice, refund, event: webhookEvent };

const call = v.object({
  method: v.string(),
  path: v.string(),
  body: v.string(),
  key: v.nullable(v.string()),
});
const recorded = v.object({
  calls: v.array(call),
  records: v.array(v.tuple([v.picklist(["invoice", "refund", "event"]), v.unknown()])),
});

/** The row of the contract that a call is one of. */
function rowOf({ method, path }: v.InferOutput<typeof call>) {
  return Object.values(GATEWAY_ROUTES).find((row) => {
    const form = row.path.replaceAll(/\{\w+\}/g, "[A-Za-z0-9_-]{1,64}");
    return row.method === method && new RegExp(`^${form}$`).test(path);
  });
}

describe.skipIf(!hasPhp())("the WooCommerce plugin", () => {
  let calls: v.InferOutput<typeof recorded>["calls"] = [];
  let records: v.InferOutput<typeof recorded>["records"] = [];
  beforeAll(() => {
    const { stdout } = spawnSync("php", [fileURLToPath(program)], { encoding: "utf8" });
    ({ calls, records } = v.parse(recorded, JSON.parse(stdout)));
  });

  it("makes calls that the contract has, with bodies of its forms and keys where it takes them", () => {
    const made = calls.map((one) => {
      const row = rowOf(one);
      expect(row, `${one.method} ${one.path}`).toBeDefined();
      const body = row !== undefined && "body" in row ? row.body : v.undefined();
      const given: unknown = one.body === "" ? undefined : JSON.parse(one.body);
      expect(v.safeParse(body, given).issues, one.body).toBeUndefined();
      expect(one.key !== null, one.path).toBe(
        row !== undefined && "takesKey" in row && row.takesKey,
      );
      return row?.path;
    });
    expect(new Set(made)).toEqual(
      new Set([
        "/api/v1/invoices",
        "/api/v1/invoices/{id}",
        "/api/v1/invoices/{id}/mark",
        "/api/v1/invoices/{id}/refunds",
      ]),
    );
  });

  it("is tested with a double that answers records of the contract", () => {
    expect(records.map(([kind]) => kind)).toEqual(["invoice", "event", "refund", "refund"]);
    for (const [kind, record] of records) {
      const { issues } = v.safeParse(v.strictObject(RECORDS[kind].entries), record);
      expect(issues, kind).toBeUndefined();
    }
  });
});
