/** The whole way of a change over the platform's own queue, to a receiver of this machine. */
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment } from "../../tests/gateway/gatewayCaller.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";

const receiver = inject("receiver");

let host: EdgeHost;
beforeEach(async () => {
  host = await EdgeHost.open();
});
afterEach(() => host.close());

it("a payment reaches the shop by the platform's own queue", async () => {
  const shop = new GatewayCaller(host, await host.issueKey("queued", KEY_SCOPES));
  const key = crypto.randomUUID();
  await shop.ask("POST", "/api/v1/webhooks", {
    ...{ url: `${receiver}/status/200?key=${key}`, events: ["invoice.paid"] },
  });
  const { id } = await shop.create();
  await host.tell([await payment(host, id, 1_000n, 101n)], 101n);
  const came = await (await fetch(`${receiver}/came/${key}`)).text();
  expect(came).toContain("invoice.paid");
  expect(came).toContain(id);
});
