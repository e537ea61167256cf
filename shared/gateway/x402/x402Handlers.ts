/** Handlers of x402: a challenge is made of an invoice, and payments are read and answered in the words of the protocol. */
import { asHash32, asInvoiceId, asTxId, type Hash32 } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import type { AskedPayment } from "../../protocol/gateway/routes/x402Routes.ts";
import {
  SESSION_EXTENSION,
  X402_SCHEME,
  X402_VERSION,
  x402Asset,
  type WrittenRequirements,
  type X402Requirements,
} from "../../protocol/gateway/x402Records.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import { ReplayedAnswer, type GatewayHandlers } from "../gatewayHandlers.ts";
import { seconds } from "../invoiceRecordOf.ts";
import { bytesOfBase64 } from "./base64Bytes.ts";
import type {
  Challenge,
  FacilitatorPort,
  PresentedPayment,
  Settlement,
} from "./facilitatorPort.ts";

/** Dependencies. */
export type X402HandlerParts = {
  readonly facilitator: FacilitatorPort;
  /** Where clients reach the gateway, without a slash at its end. */
  readonly place: () => { readonly publicUrl: string };
};

type Rows =
  | "createChallenge"
  | "uploadPayment"
  | "verifyPayment"
  | "settlePayment"
  | "supportedPayments"
  | "spendSession";

/** Why a payment is refused before anybody looks at it. */
type FormFault =
  | "invalid_x402_version"
  | "unsupported_scheme"
  | "invalid_network"
  | "invalid_payment_requirements"
  | "invalid_payload";

const MS = 1_000n;

/** Makes the handlers. */
export function x402Handlers(parts: X402HandlerParts): Pick<GatewayHandlers, Rows> {
  const { facilitator } = parts;
  const { network } = facilitator;
  return {
    ...paymentHandlers(facilitator),
    createChallenge: async ({ key, body, request }) => {
      const wish = {
        amount: body.amountSompi,
        resource: body.resource,
        expiresInS: body.expiresIn ?? MERCHANT_LIMITS.challengeSecondsDefault,
        depth: body.requiredBlueScore ?? null,
        sessionS: body.sessionSeconds ?? null,
      };
      const { challenge, isReplay } = await facilitator.challenge(key.merchant, wish, request);
      const answer = {
        requirements: requirementsOf(challenge, network, parts.place().publicUrl),
        expiresAt: seconds(challenge.expiresMs),
      };
      return isReplay ? new ReplayedAnswer(answer) : answer;
    },
    uploadPayment: async ({ body }) => {
      const raw = bytesOfBase64(body.transaction);
      if (raw === null)
        throw new SvcError("api/bad-field", { field: "transaction", expected: "base64" });
      return { transactionId: await facilitator.upload(asInvoiceId(body.challenge), raw) };
    },
    supportedPayments: async () => ({
      kinds: [
        {
          x402Version: X402_VERSION,
          scheme: X402_SCHEME,
          network,
          extra: { asset: x402Asset(network) },
        },
      ],
      extensions: [SESSION_EXTENSION],
      signers: {},
    }),
    spendSession: async ({ key, body }) => {
      const hash = asHash32(body.sessionHash);
      const { fault, balance, expiresMs } = await facilitator.spend(
        key.merchant.id,
        hash,
        body.amountSompi,
      );
      return {
        isValid: fault === null,
        ...(fault === null ? {} : { invalidReason: fault }),
        balanceSompi: String(balance),
        expiresAt: seconds(expiresMs),
      };
    },
  };
}

function paymentHandlers(
  facilitator: FacilitatorPort,
): Pick<GatewayHandlers, "verifyPayment" | "settlePayment"> {
  const { network } = facilitator;
  return {
    verifyPayment: async ({ key, body, signal }) => {
      const payment = presented(body, network);
      const fault =
        typeof payment === "string"
          ? payment
          : await facilitator.verify(key.merchant.id, payment, signal);
      return fault === null ? { isValid: true } : { isValid: false, invalidReason: fault };
    },
    settlePayment: async ({ key, body, request, signal }) => {
      const payment = presented(body, network);
      if (typeof payment === "string") return unsettled(payment, network);
      const caller = request === null ? null : await hashOf(request.key);
      return settled(await facilitator.settle(key.merchant.id, payment, caller, signal), network);
    },
  };
}

/** What a challenge asks for, in the words of the protocol. */
function requirementsOf(
  challenge: Challenge,
  network: string,
  publicUrl: string,
): WrittenRequirements {
  return {
    scheme: X402_SCHEME,
    network,
    amount: String(challenge.amount),
    asset: x402Asset(network),
    payTo: challenge.payTo,
    maxTimeoutSeconds: Number((challenge.expiresMs - challenge.createdMs) / MS),
    extra: {
      challenge: challenge.id,
      upload: `${publicUrl}/x402/payments`,
      requiredBlueScore: challenge.depth,
      sessionSeconds: challenge.sessionS,
    },
  };
}

/** The payment that a call is about; else why it is none. Client and resource must say the same. */
function presented(
  { paymentPayload, paymentRequirements, resource }: AskedPayment,
  network: string,
): PresentedPayment | FormFault {
  const { x402Version, accepted, payload } = paymentPayload;
  if (x402Version !== X402_VERSION) return "invalid_x402_version";
  for (const asked of [accepted, paymentRequirements]) {
    if (asked.scheme !== X402_SCHEME) return "unsupported_scheme";
    if (asked.network !== network || asked.asset !== x402Asset(network)) return "invalid_network";
  }
  if (!isSame(accepted, paymentRequirements)) return "invalid_payment_requirements";
  const { transaction, transactionId, sessionHash } = payload;
  const raw = typeof transaction === "string" ? bytesOfBase64(transaction) : null;
  const txid = typeof transactionId === "string" ? asTxId(transactionId) : null;
  if (raw === null && (txid === null || typeof transaction === "string")) return "invalid_payload";
  return {
    challenge: asInvoiceId(accepted.extra.challenge),
    amount: accepted.amount,
    payTo: accepted.payTo,
    resource: resource ?? null,
    raw,
    txid,
    sessionHash: typeof sessionHash === "string" ? asHash32(sessionHash) : null,
  };
}

function isSame(a: X402Requirements, b: X402Requirements): boolean {
  return a.amount === b.amount && a.payTo === b.payTo && a.extra.challenge === b.extra.challenge;
}

function settled(settlement: Settlement, network: string) {
  if (settlement.kind === "refused") return unsettled(settlement.fault, network);
  if (settlement.kind === "pending") return unsettled("settlement_pending", network);
  const { txid, amount, replayed } = settlement;
  return {
    success: true,
    transaction: txid,
    network,
    amount: String(amount),
    extra: { replayed },
  };
}

function unsettled(errorReason: string, network: string) {
  return { success: false, errorReason, transaction: "", network };
}

async function hashOf(text: string): Promise<Hash32> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return asHash32(encodeHex(new Uint8Array(digest)));
}
