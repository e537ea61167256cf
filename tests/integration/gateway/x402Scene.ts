/** Scene of x402: a real node, a gateway over it, a seller's API behind the paywall, and a client whose wallet proves. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Hono } from "hono";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { AccessStore } from "@svc/node-server/gateway/access/accessStore.ts";
import { addMerchant, issueKey } from "@svc/node-server/gateway/access/issueKeys.ts";
import { newViewingKey, ViewingKeyFiles } from "@svc/node-server/gateway/keys/viewingKeyFile.ts";
import { type Gateway } from "@svc/node-server/gateway/startGateway.ts";
import { asMerchantId, asSompi, asTimestampMs } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { gatewayPaywall } from "@svc/shared/gateway/x402/paywallPort.ts";
import { x402Paywall } from "@svc/shared/gateway/x402/x402Paywall.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import type { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import { core } from "../engine/engineFixture.ts";
import { fixture } from "../walletd/walletApiCalls.ts";
import { startTestGateway } from "./startTestGateway.ts";

const SHOP = asMerchantId("seller");
/** Where clients reach the seller. */
export const ORIGIN = "https://api.example";

/** Makes the merchant, bob, in a gateway's folder; returns an API key of his. */
export async function addSeller(folder: string): Promise<string> {
  const fvk = core.fullViewingKey(decodeHex(fixture.owners.bob.seed));
  const viewing = newViewingKey(core.incomingViewingKey(fvk), "simnet");
  new ViewingKeyFiles(join(folder, "keys")).put(viewing);
  const access = await AccessStore.open(folder);
  const nowMs = asTimestampMs(1_700_000_000_000n);
  addMerchant(access, {
    id: SHOP,
    name: "The seller",
    key: viewing.id,
    policy: { ...TEST_POLICY, poolLimit: asSompi(100_000_000n) },
    expiresInS: 900,
    frameOrigins: [],
    language: null,
    payout: null,
    createdMs: nowMs,
    closedMs: null,
  });
  const scopes = ["x402", "invoices:read"] as const;
  const wish = { merchant: SHOP, label: "", scopes, mode: "test", nowMs } as const;
  const { text } = await issueKey(access, wish, randomBytes);
  await access.close();
  return text;
}

/** Starts the gateway over a node. */
export function startSellerGateway(node: RunningNode, folder: string): Promise<Gateway> {
  return startTestGateway(node.grpcAddress, folder);
}

/** The seller's API: `/report` for a price, `/tick` for one below the smallest fee. */
export function sellerOf(client: GatewayClient, prices: { readonly report: bigint }): Hono {
  const port = gatewayPaywall(client);
  const session = { amountSompi: 5_000_000n, seconds: 600 };
  const common = { port, session, publicUrl: ORIGIN, onError: () => undefined };
  const seller = new Hono();
  seller.use("/report", x402Paywall({ ...common, price: () => ({ amountSompi: prices.report }) }));
  seller.use("/tick", x402Paywall({ ...common, price: () => ({ amountSompi: 1_000n }) }));
  seller.get("*", (c) => c.text("goods"));
  return seller;
}
