/** Interface (port) to what an x402 facilitator keeps: challenges, the payments that are bound to them, prepaid sessions. */
import type {
  AddressText,
  Hash32,
  InvoiceId,
  MerchantId,
  Sompi,
  TimestampMs,
  TxId,
} from "../../base/brand.ts";
import type { Merchant, RequestKey } from "../gatewayPorts.ts";

/** What a merchant's server asks a payment for. */
export type ChallengeWish = {
  readonly amount: bigint;
  /** Method and URL of the resource. */
  readonly resource: string;
  readonly expiresInS: number;
  /** Depth at which the payment is settled; null for what the merchant's policy says of the amount. */
  readonly depth: number | null;
  /** Life of the session that the payment opens; null for none. */
  readonly sessionS: number | null;
};

/** A challenge as it was made. */
export type Challenge = {
  readonly id: InvoiceId;
  readonly amount: Sompi;
  readonly payTo: AddressText;
  readonly resource: string;
  /** Null: settled when a pool has it. */
  readonly depth: number | null;
  readonly sessionS: number | null;
  readonly createdMs: TimestampMs;
  readonly expiresMs: TimestampMs;
};

/** A challenge that was made, or that the same request made before. */
export type MadeChallenge = { readonly challenge: Challenge; readonly isReplay: boolean };

/** A payment as it is presented. */
export type PresentedPayment = {
  readonly challenge: InvoiceId;
  /** What both client and resource say that is paid. */
  readonly amount: string;
  readonly payTo: string;
  /** The resource that is asked for now; null where whoever asks does not say. */
  readonly resource: string | null;
  /** RawTransaction; null for one that was uploaded. */
  readonly raw: Uint8Array | null;
  /** Names an uploaded one; null where the bytes are there. */
  readonly txid: TxId | null;
  /** SHA-256 of the token of the session that it opens; null for none. */
  readonly sessionHash: Hash32 | null;
};

/** Why a payment is not taken: words of the public specification, and this chain's own behind `invalid_exact_svc_`. */
export type PaymentFault =
  | "invalid_payment_requirements"
  | "invalid_payload"
  | "invalid_transaction_state"
  | "invalid_exact_svc_transaction"
  | "invalid_exact_svc_recipient"
  | "invalid_exact_svc_amount"
  | "invalid_exact_svc_fee"
  | "invalid_exact_svc_anchor"
  | "invalid_exact_svc_already_used"
  | "invalid_exact_svc_challenge_over"
  | "invalid_exact_svc_session";

/** What a settlement came to. `pending`: it goes on; the same question has a final answer later. */
export type Settlement =
  | {
      readonly kind: "settled";
      readonly txid: TxId;
      readonly amount: Sompi;
      readonly replayed: boolean;
    }
  | { readonly kind: "pending" }
  | { readonly kind: "refused"; readonly fault: PaymentFault };

/** Why a session does not pay. */
export type SessionFault = "session_unknown" | "session_expired" | "session_balance_too_low";

/** What came of spending from a session. */
export type Spending = {
  readonly fault: SessionFault | null;
  readonly balance: Sompi;
  readonly expiresMs: TimestampMs;
};

/** The facilitator. Whatever it changes is on disk when its promise resolves. */
export interface FacilitatorPort {
  /** The network by its genesis block (CAIP-2). */
  readonly network: string;
  /** Makes a challenge. Rejects as `InvoicePort.create`. */
  challenge(
    merchant: Merchant,
    wish: ChallengeWish,
    request: RequestKey | null,
  ): Promise<MadeChallenge>;
  /** Keeps a payment for its challenge. Rejects with `gateway/no-invoice`, `gateway/wrong-state`, `codec/…`. */
  upload(challenge: InvoiceId, raw: Uint8Array): Promise<TxId>;
  /** Checks a payment and binds it to its challenge; null for one that may be settled. Rejects where nobody can tell: `http/unavailable`, `store/…`. */
  verify(
    merchant: MerchantId,
    payment: PresentedPayment,
    signal: AbortSignal,
  ): Promise<PaymentFault | null>;
  /** Broadcasts a payment, and waits a while for what the challenge asks for. `caller`: SHA-256 of who is answered. Rejects as `verify`. */
  settle(
    merchant: MerchantId,
    payment: PresentedPayment,
    caller: Hash32 | null,
    signal: AbortSignal,
  ): Promise<Settlement>;
  /** Takes an amount from a session. */
  spend(merchant: MerchantId, sessionHash: Hash32, amount: bigint): Promise<Spending>;
}
