/** Interface (port) of a paywall to the facilitator of its merchant, and the port over the gateway's API. */
import type { Hash32 } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { NOTHING } from "../../protocol/contract/callTransport.ts";
import type { GatewayClient } from "../../protocol/gateway/gatewayClient.ts";
import type { GatewayResult } from "../../protocol/gateway/gatewayRoutes.ts";
import type { X402Payload, X402Requirements } from "../../protocol/gateway/x402Records.ts";

/** What a paywall asks a payment for. */
export type PaywallWish = {
  readonly amountSompi: bigint;
  /** Method and URL of the resource. */
  readonly resource: string;
  readonly requiredBlueScore: number | null;
  /** Life of the session that the payment opens; null for none. */
  readonly sessionSeconds: number | null;
};

/** A payment that a client presents for a resource. */
export type PaywallPayment = {
  readonly payload: X402Payload;
  readonly requirements: X402Requirements;
  readonly resource: string;
};

/** The facilitator. Every call rejects where nobody can tell: `gateway/…`, `http/…`, `run/…`. */
export interface PaywallPort {
  challenge(
    wish: PaywallWish,
    signal: AbortSignal,
  ): Promise<GatewayResult<"createChallenge">["requirements"]>;
  verify(payment: PaywallPayment, signal: AbortSignal): Promise<GatewayResult<"verifyPayment">>;
  /** `caller` names who is answered: the same one, asking again, is answered as before. */
  settle(
    payment: PaywallPayment,
    caller: string,
    signal: AbortSignal,
  ): Promise<GatewayResult<"settlePayment">>;
  spend(
    sessionHash: Hash32,
    amountSompi: bigint,
    signal: AbortSignal,
  ): Promise<GatewayResult<"spendSession">>;
}

/** Times that a settlement without an answer is asked for. */
const SETTLE_TRIES = 3;

/** The port over the API of a gateway, whose client has an API key with the right `x402`. */
export function gatewayPaywall(client: Pick<GatewayClient, "call">): PaywallPort {
  const body = ({ payload, requirements, resource }: PaywallPayment) => ({
    ...NOTHING,
    body: { paymentPayload: payload, paymentRequirements: requirements, resource },
  });
  return {
    challenge: async (wish, signal) => {
      const { amountSompi, resource, requiredBlueScore, sessionSeconds } = wish;
      const asked = { amountSompi, resource, requiredBlueScore, sessionSeconds };
      const input = { ...NOTHING, body: asked };
      return (await client.call("createChallenge", input, { signal })).requirements;
    },
    verify: (payment, signal) => client.call("verifyPayment", body(payment), { signal }),
    settle: async (payment, caller, signal) => {
      for (let tries = 1; ; tries += 1) {
        try {
          const options = { signal, idempotencyKey: caller };
          return await client.call("settlePayment", body(payment), options);
        } catch (error) {
          // A proxy's page in its place is no answer either.
          const isSilent = SvcError.is(
            error,
            "gateway/unreachable",
            "gateway/bad-answer",
            "run/timeout",
          );
          if (!isSilent || tries >= SETTLE_TRIES) throw error;
        }
      }
    },
    spend: (sessionHash, amountSompi, signal) =>
      client.call("spendSession", { ...NOTHING, body: { sessionHash, amountSompi } }, { signal }),
  };
}
