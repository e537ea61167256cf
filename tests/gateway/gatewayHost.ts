/** A gateway under test, whatever keeps its invoices: the contract suite speaks to it over HTTP alone, and tells it what happens on the chain. */
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { ToldRate } from "@svc/shared/gateway/toldRates.ts";
import type { KeyScope } from "@svc/shared/protocol/gateway/route.ts";

/** A delivery that the receiver of a test was sent. */
export type ReceivedHook = {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
};

/** The gateway. */
export type GatewayHost = {
  /** Asks it; `path` begins with `/`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Issues an API key to a merchant, who is made where there is none of that name. */
  issueKey(merchant: string, scopes: readonly KeyScope[]): Promise<string>;
  /** Revokes it. */
  revokeKey(merchant: string, key: string): Promise<void>;
  /** Tells what happened on the chain, with the sink at a blue score. */
  tell(facts: readonly PaymentFact[], tip: bigint): Promise<void>;
  /** Tells what a coin costs. */
  tellRates(rates: readonly ToldRate[]): Promise<void>;
  /** Where an invoice is paid to. */
  addressOf(invoice: string): Promise<Pick<PaymentFact, "key" | "index">>;
  /** Lets time pass, and everything happen that is due then. */
  pass(ms: bigint): Promise<void>;
  /** The gateway's clock, ms. */
  nowMs(): bigint;
  /** What webhooks were sent since the last call; all that is due is sent first. `status` is what the receiver answers. */
  hooks(status?: number): Promise<readonly ReceivedHook[]>;
  close(): Promise<void>;
};
