/** x402 over a real node: a client is asked for a payment, proves it, hands it over without broadcasting it, and gets the resource. */
import { createHash } from "node:crypto";
import type { Hono } from "hono";
import { x402Client, x402HTTPClient } from "@x402/core/client";
import type { PaymentRequired, PaymentRequirements } from "@x402/core/types";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import type { Gateway } from "@svc/node-server/gateway/startGateway.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { x402Network } from "@svc/shared/protocol/gateway/x402Records.ts";
import { core, simnet } from "../engine/engineFixture.ts";
import { never, startJudgingNode } from "../node/nodeFixture.ts";
import { withFalseProof } from "../payments/poolFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { fund, mine } from "../walletd/walletApiCalls.ts";
import { addSeller, ORIGIN, sellerOf, startSellerGateway } from "./x402Scene.ts";
import { X402Wallet } from "./x402Wallet.ts";

const PRICE = 20_000_000n;
const USED = "invalid_exact_svc_already_used";
const TOKEN = "5c".repeat(32);
const HASH = createHash("sha256").update(Buffer.from(TOKEN, "hex")).digest("hex");
const options = { signal: never };
const folder = temporaryFolder();

let node: RunningNode;
let gateway: Gateway;
let wallet: X402Wallet;
let api: GatewayClient;
let seller: Hono;

beforeAll(async () => {
  const apiKey = await addSeller(folder.path);
  node = await startJudgingNode(null);
  await fund(node);
  gateway = await startSellerGateway(node, folder.path);
  api = new GatewayClient({ baseUrl: gateway.address, apiKey });
  seller = sellerOf(api, { report: PRICE });
  wallet = await X402Wallet.start(node);
});
afterAll(async () => {
  await wallet.stop();
  await gateway.stop();
  await node.stop();
  folder.remove();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  seller.request(ORIGIN + path, { headers });

/** The public client of x402 with this chain's scheme: it proves, uploads and names what it uploaded. */
function payer(): x402HTTPClient {
  const client = {
    scheme: "exact",
    createPaymentPayload: async (x402Version: number, asked: PaymentRequirements) => {
      const transactionId = await upload(asked, await wallet.sign([asked]));
      return { x402Version, payload: { transactionId, sessionHash: HASH } };
    },
  };
  const network = x402Network(core.genesisHash(simnet));
  const schemes = [{ network, client }];
  return new x402HTTPClient(x402Client.fromConfig({ schemes, spendControls: false }));
}

async function upload({ extra }: PaymentRequirements, raw: Uint8Array): Promise<string> {
  const { challenge, upload: url } = extra;
  const response = await fetch(String(url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ challenge, transaction: Buffer.from(raw).toString("base64") }),
  });
  const { transactionId }: { transactionId: string } = await response.json();
  return transactionId;
}

async function askedBy(path: string): Promise<PaymentRequired> {
  const response = await get(path);
  expect(response.status).toBe(402);
  return payer().getPaymentRequiredResponse((name) => response.headers.get(name));
}

/** What the seller asks for. */
async function challenge(path = "/report"): Promise<PaymentRequirements> {
  const [accepted] = (await askedBy(path)).accepts;
  if (accepted === undefined) throw new Error("nothing is accepted");
  return accepted;
}

/** Asks the facilitator about these bytes. */
function callOf(asked: PaymentRequirements, raw: Uint8Array) {
  const { challenge: id } = asked.extra;
  const accepted = { ...asked, extra: { challenge: String(id) } };
  const transaction = Buffer.from(raw).toString("base64");
  return {
    paymentPayload: { x402Version: 2, accepted, payload: { transaction } },
    paymentRequirements: accepted,
  };
}

const verify = async (asked: PaymentRequirements, raw: Uint8Array): Promise<string> => {
  const { isValid, invalidReason } = await api.verifyPayment(callOf(asked, raw), options);
  return isValid ? "valid" : (invalidReason ?? "");
};

describe("a client of x402", () => {
  it("is asked with 402, pays with a proof that nobody has broadcast, and has the resource; the invoice is paid, then confirmed", async () => {
    const client = payer();
    const payment = await client.createPaymentPayload(await askedBy("/report"));
    expect(node.api.waiting()).toEqual([]);
    const headers = client.encodePaymentSignatureHeader(payment);
    const response = await get("/report", headers);
    expect([response.status, await response.text()]).toEqual([200, "goods"]);
    const settled = client.getPaymentSettleResponse((name) => response.headers.get(name));
    expect(settled).toMatchObject({ success: true, amount: String(PRICE) });
    expect(node.api.waiting().map(({ txid }) => txid)).toEqual([settled.transaction]);
    const id = String(payment.accepted.extra["challenge"]);
    expect(await api.invoice(id, options)).toMatchObject({ status: "paid", paidSompi: PRICE });
    expect((await get("/report", headers)).status).toBe(402);
    await mine(node, 14);
    await untilFound(async () => (await api.invoice(id, options)).status === "confirmed");
    expect((await get("/report", headers)).status).toBe(402);
  });

  it("opens a session with one payment, and pays small prices from it", async () => {
    expect(MERCHANT_LIMITS.smallestFeeSompi).toBe(core.walletFee(2));
    const client = payer();
    const payment = await client.createPaymentPayload(await askedBy("/tick"));
    const first = await get("/tick", client.encodePaymentSignatureHeader(payment));
    expect([first.status, first.headers.get("PAYMENT-SESSION-BALANCE")]).toEqual([200, "4999000"]);
    const next = await get("/tick", { "PAYMENT-SESSION": TOKEN });
    expect([next.status, next.headers.get("PAYMENT-SESSION-BALANCE")]).toEqual([200, "4998000"]);
    await mine(node, 4);
  });
});

describe("a payment", () => {
  it("for two challenges is taken for one of them, by its bytes and by its notes", async () => {
    const [a, b] = [await challenge(), await challenge()];
    const both = await wallet.sign([a, b]);
    expect(await verify(a, both)).toBe("valid");
    expect(await verify(b, both)).toBe(USED);
    // Its notes were given up by the wallet, which spends them again.
    expect(await verify(b, await wallet.sign([b]))).toBe(USED);
    expect(node.api.waiting()).toEqual([]);
    expect(await api.settlePayment(callOf(a, both), options)).toMatchObject({ success: true });
    expect(await api.settlePayment(callOf(b, both), options)).toMatchObject({ success: false });
    await mine(node, 4);
  });

  it("that was watched in the pool or in a block is refused to a stranger", async () => {
    const asked = await challenge();
    const paid = await wallet.sign([asked]);
    expect(await api.settlePayment(callOf(asked, paid), options)).toMatchObject({ success: true });
    const [watched] = node.api.waiting();
    const own = await challenge();
    const raw = watched?.raw ?? new Uint8Array();
    expect(await verify(own, raw)).toBe("invalid_exact_svc_recipient");
    expect(await verify(asked, raw)).toBe(USED);
    await mine(node, 4);
    expect(await verify(own, raw)).toBe("invalid_exact_svc_recipient");
    expect(await verify(asked, raw)).toBe(USED);
  });

  it("with a false proof, another amount or spent notes is refused, and nothing is broadcast", async () => {
    const asked = await challenge();
    const good = await wallet.sign([asked]);
    expect(await verify(asked, withFalseProof(good, 1))).toBe("invalid_exact_svc_transaction");
    const more = await wallet.sign([{ ...asked, amount: String(PRICE + 1n) }]);
    expect(await verify(asked, more)).toBe("invalid_exact_svc_amount");
    expect(node.api.waiting()).toEqual([]);
    expect(await verify(asked, good)).toBe("valid");
    // The payer spends the notes elsewhere before the settlement.
    await node.api.submitTransaction(more, never);
    const refused = await api.settlePayment(callOf(asked, good), options);
    expect(refused).toMatchObject({ success: false, errorReason: "invalid_transaction_state" });
    await mine(node, 4);
  });
});
