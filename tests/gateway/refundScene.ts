/** Test helper: a gateway with a merchant and a payer, and the calls of a refund between them. */
import { expect } from "vitest";
import * as v from "valibot";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { refund } from "@svc/shared/protocol/gateway/refundRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment, type Answer } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";

/** A refund as its merchant reads it. */
export type RefundRecord = v.InferOutput<typeof refund>;

/** The calls. */
export class RefundScene {
  readonly host: GatewayHost;
  readonly shop: GatewayCaller;
  readonly payer: GatewayCaller;
  /** Addresses of the host's network. */
  readonly home: string;
  readonly elsewhere: string;

  private constructor(
    host: GatewayHost,
    shop: GatewayCaller,
    [home, elsewhere]: readonly [string, string],
  ) {
    this.host = host;
    this.shop = shop;
    this.payer = new GatewayCaller(host, null);
    this.home = home;
    this.elsewhere = elsewhere;
  }

  /** A merchant of a host that has none. */
  static async open(host: GatewayHost): Promise<RefundScene> {
    const shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
    const [home, elsewhere] = [await shop.create(), await shop.create()];
    return new RefundScene(host, shop, [home.address, elsewhere.address]);
  }

  /** An invoice of 1,000 sompi that these amounts have paid, settled. */
  async paid(...amounts: readonly bigint[]): Promise<string> {
    const { id } = await this.shop.create();
    const facts: PaymentFact[] = [];
    for (const amount of amounts) facts.push(await payment(this.host, id, amount, 101n));
    await this.host.tell(facts, 111n);
    return id;
  }

  /** Asks for a refund. */
  offer(invoice: string, body: object, headers = {}): Promise<Answer> {
    return this.shop.ask("POST", `/api/v1/invoices/${invoice}/refunds`, body, headers);
  }

  /** A refund that was made. */
  async offered(invoice: string, body: object): Promise<RefundRecord> {
    const answer = await this.offer(invoice, body);
    expect(answer.status, JSON.stringify(answer.json)).toBe(201);
    return v.parse(refund, answer.json);
  }

  /** Where the payer asks about it. */
  claimPath({ claimUrl }: RefundRecord): string {
    return `/api/v1/claims/${claimUrl.slice(claimUrl.lastIndexOf("/") + 1)}`;
  }

  /** The payer gives an address. */
  async fill(record: RefundRecord, address: string): Promise<Answer> {
    return this.payer.ask("POST", this.claimPath(record), { address });
  }

  /** The merchant approves or cancels it. */
  async step(record: RefundRecord, word: "approve" | "cancel", body?: object): Promise<Answer> {
    return this.shop.ask("POST", `/api/v1/refunds/${record.id}/${word}`, body);
  }
}
