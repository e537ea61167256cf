/** Rows of the table that no hosted gateway serves: x402 checks payments with a viewing key, which the Worker does not hold, and tills. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { GATEWAY_ROUTES } from "@svc/shared/protocol/gateway/gatewayRoutes.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller } from "../../tests/gateway/gatewayCaller.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";

let host: EdgeHost;
let shop: GatewayCaller;
beforeEach(async () => {
  host = await EdgeHost.open();
  shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
});
afterEach(() => host.close());

it.each(["x402", "till"])(
  "a call of the group %s is answered as one that is not there",
  async (group) => {
    const rows = Object.values(GATEWAY_ROUTES).filter((row) => row.group === group);
    expect(rows.length).toBeGreaterThan(3);
    for (const { method, path } of rows) {
      const body = method === "GET" ? undefined : {};
      for (const caller of [shop, new GatewayCaller(host, null)]) {
        await caller.refused(method, path, body, { status: 404, code: "http/not-found" });
      }
    }
  },
);
