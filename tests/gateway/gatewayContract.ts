/** The contract of the gateway API: one suite over every host of it. */
import { describe, expect, it } from "vitest";
import { apiKeys, refusedRequests, strangersRates } from "./accessContract.ts";
import { contractScene } from "./contractScene.ts";
import { GatewayCaller } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";
import { listedInvoices, madeInvoices, readInvoices } from "./invoiceContract.ts";
import { changedInvoices, checkout, latePayments, paidInvoices } from "./paymentContract.ts";
import { changedWebhooks, listedDeliveries, sentWebhooks } from "./webhookContract.ts";

/** Runs the suite over the hosts that `make` makes. */
export function gatewayContract(name: string, make: () => Promise<GatewayHost>): void {
  describe(`the gateway API of ${name}`, () => {
    const of = contractScene(make);
    madeInvoices(of);
    readInvoices(of);
    listedInvoices(of);
    paidInvoices(of);
    latePayments(of);
    changedInvoices(of);
    checkout(of);
    apiKeys(of);
    refusedRequests(of);
    strangersRates(of);
    sentWebhooks(of);
    listedDeliveries(of);
    changedWebhooks(of);

    it("tells how it is, and describes itself", async () => {
      const payer = new GatewayCaller(of.host, null);
      const health = await payer.ask("GET", "/health");
      expect(health.json).toEqual({ ok: true, service: "svc-gateway" });
      expect((await payer.ask("GET", "/openapi.json")).json["openapi"]).toBe("3.1.0");
    });
  });
}
