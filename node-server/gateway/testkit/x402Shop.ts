/** Test helper: a merchant's server that asks a gateway's facilitator, and clients that pay it. */
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { DeskHost } from "./deskHost.ts";
import { rawOf, type ModelPayment } from "./modelPayments.ts";

/** What a challenge asks for. */
export type Asked = {
  readonly amount: string;
  readonly payTo: string;
  readonly extra: { readonly challenge: string };
};

/** Largest amount, in sompi, for which a payment counts that waits in a pool. */
export const POOL_LIMIT = 1_000_000n;

type Json = Record<string, unknown>;
type Body = { readonly paymentPayload: unknown; readonly paymentRequirements: unknown };

/** The server of one merchant. */
export class X402Shop {
  readonly #host: DeskHost;
  readonly #key: string;

  constructor(host: DeskHost, key: string) {
    this.#host = host;
    this.#key = key;
  }

  /** Makes a challenge. */
  async challenge(amountSompi: string, over: object = {}): Promise<Asked> {
    const body = { amountSompi, resource: "GET https://api.example/r", ...over };
    const { requirements } = await this.ask("/x402/challenges", body);
    const asked: Asked = JSON.parse(JSON.stringify(requirements));
    return asked;
  }

  /** Asks a row; refusals have a `code`. */
  async ask(path: string, body: unknown, caller: string | null = null): Promise<Json> {
    const response = await this.#host.fetch(path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${this.#key}`,
        "Content-Type": "application/json",
        ...(caller === null ? {} : { "Idempotency-Key": caller }),
      },
      body: JSON.stringify(body),
    });
    const json: Json = await response.json();
    return json;
  }

  /** Why a payment is not valid; `valid` for one that is. */
  async verify(asked: Asked, payload: object, over: object = {}): Promise<unknown> {
    const json = await this.ask("/x402/verify", { ...bodyOf(asked, payload), ...over });
    return json["isValid"] === true ? "valid" : (json["invalidReason"] ?? json["code"]);
  }

  /** Settles a payment; `caller` is the idempotency key. */
  settle(asked: Asked, payload: object, caller: string | null = null): Promise<Json> {
    return this.ask("/x402/settle", bodyOf(asked, payload), caller);
  }

  /** Takes from a session; why it did not. */
  async spend(sessionHash: string, amountSompi: string): Promise<unknown> {
    const json = await this.ask("/x402/sessions/spend", { sessionHash, amountSompi });
    return json["isValid"] === true ? json["balanceSompi"] : json["invalidReason"];
  }
}

/** A gateway over a model of a node, and a merchant's server with every scope. The caller closes the host. */
export async function openShop(): Promise<{ readonly host: DeskHost; readonly shop: X402Shop }> {
  const host = await DeskHost.open(null, { poolLimit: POOL_LIMIT });
  return { host, shop: new X402Shop(host, await host.issueKey("shop", KEY_SCOPES)) };
}

/** A call about a payment. */
export function bodyOf(asked: Asked, payload: object): Body {
  return {
    paymentPayload: { x402Version: 2, accepted: asked, payload },
    paymentRequirements: asked,
  };
}

/** A payload with these bytes. */
export function payloadOf(raw: Uint8Array): { readonly transaction: string } {
  return { transaction: Buffer.from(raw).toString("base64") };
}

/** A payment of a challenge with a note. */
export function paymentOf(
  asked: Asked,
  note: string,
  over: Partial<ModelPayment> = {},
): Uint8Array<ArrayBuffer> {
  return rawOf({ spends: [note], pays: { [asked.payTo]: asked.amount }, ...over });
}
