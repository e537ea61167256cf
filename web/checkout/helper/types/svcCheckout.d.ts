/** Types of the embedded checkout helper `svc-checkout.js`, which shops serve from their own site. */

/** A state of an invoice. Goods leave for `confirmed` and `overpaid` alone, and when your server was told so, never because of a page. */
export type SvcStatus =
  | "new"
  | "partial"
  | "paid"
  | "confirmed"
  | "overpaid"
  | "expired"
  | "paidLate";

/** What the framed checkout tells. */
export type SvcStatusEvent = {
  /** Id of the invoice. */
  readonly id: string;
  readonly status: SvcStatus;
  /** Nothing is expected to change any more. */
  readonly final: boolean;
};

/** How a checkout is opened. */
export type SvcCheckoutOptions = {
  /**
   * Your own server: it gets a POST with `{orderId, amount, metadata}` and the order as `Idempotency-Key`, makes the invoice with its API
   * key, and answers `{checkoutUrl}`. It has to look the price up itself: this page could say any.
   */
  readonly createInvoiceUrl: string;
  readonly orderId: string | number;
  /** Decimal text; what it counts is between your page and your server. */
  readonly amount?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Origins of gateways that may be opened, such as `https://pay.example`. Any other is refused. */
  readonly allowedOrigins: readonly string[];
  /** `redirect` when left out. The others need your origin in the merchant's frame origins at the gateway. */
  readonly mode?: "redirect" | "modal" | "inline";
  /** Where an inline checkout is put: an element, or a selector. */
  readonly container?: Element | string;
  /** Name of the frame for screen readers; `Checkout` when left out. */
  readonly title?: string;
  /** Name of the button that closes the modal; `Close` when left out. */
  readonly closeLabel?: string;
  readonly onStatus?: (event: SvcStatusEvent) => void;
  /** Called once when modal or inline checkout was closed. */
  readonly onClose?: () => void;
  /** Ends the question to your server, and closes what was opened. */
  readonly signal?: AbortSignal;
};

/** A checkout that was opened. */
export type SvcCheckout = {
  readonly checkoutUrl: string;
  /** Closes modal or inline checkout; nothing where there is none. */
  close(): void;
};

/**
 * Has your server make an invoice and opens its checkout. Rejects with an `Error` that has the status when your server refuses, for an
 * answer without `checkoutUrl`, for one that is not https (or http on this machine) or of no allowed origin, and with the signal's reason.
 */
export declare function openSvcCheckout(options: SvcCheckoutOptions): Promise<SvcCheckout>;

/**
 * `<svc-pay-button create-invoice-url order-id amount allowed-origins mode label>`: a button that opens a checkout. `allowed-origins` are
 * origins with blanks between them; the property `metadata` is sent too. Its events `svc-status`, `svc-close` and `svc-error` bubble;
 * `detail` is the status event, nothing, and the error.
 */
export declare class SvcPayButton extends HTMLElement {
  metadata: Readonly<Record<string, string>>;
}

declare global {
  interface HTMLElementTagNameMap {
    "svc-pay-button": SvcPayButton;
  }
}
