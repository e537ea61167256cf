/** The embedded checkout helper: a function and a button that open a checkout from the page of a shop (gateway sheet 7.5). */
import type {
  SvcCheckout,
  SvcCheckoutOptions,
  SvcStatus,
  SvcStatusEvent,
} from "./types/svcCheckout.d.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const STATUSES: ReadonlySet<string> = new Set([
  ...["new", "partial", "paid", "confirmed", "overpaid", "expired", "paidLate"],
]);

/** Has the shop's server make an invoice and opens its checkout; see `types/svcCheckout.d.ts`. */
export async function openSvcCheckout(options: SvcCheckoutOptions): Promise<SvcCheckout> {
  const url = allowedUrl(await askShop(options), options.allowedOrigins);
  options.signal?.throwIfAborted();
  if (options.mode === "modal") return openModal(url, options);
  if (options.mode === "inline") return openInline(url, options);
  location.assign(url);
  return { checkoutUrl: url.href, close: () => undefined };
}

/** The gateway is never asked from here, and no API key is known here. */
async function askShop(options: SvcCheckoutOptions): Promise<unknown> {
  const { createInvoiceUrl, orderId, amount, metadata = {}, signal } = options;
  const answer = await fetch(createInvoiceUrl, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": String(orderId) },
    body: JSON.stringify({ orderId, amount, metadata }),
    signal: signal ?? null,
  });
  if (!answer.ok) throw new Error(`The shop made no invoice (${answer.status})`);
  const made: unknown = await answer.json();
  return typeof made === "object" && made !== null && "checkoutUrl" in made
    ? made.checkoutUrl
    : undefined;
}

function allowedUrl(text: unknown, origins: readonly string[]): URL {
  if (typeof text !== "string" || !URL.canParse(text)) {
    throw new Error("The shop's answer has no checkoutUrl");
  }
  const url = new URL(text);
  const isSafe =
    url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname));
  if (!isSafe) throw new Error("The checkoutUrl is not https");
  if (!origins.includes(url.origin)) {
    throw new Error(`The checkoutUrl is of ${url.origin}, which is not allowed`);
  }
  return url;
}

function openInline(url: URL, options: SvcCheckoutOptions): SvcCheckout {
  const { container } = options;
  const place = typeof container === "string" ? document.querySelector(container) : container;
  if (!place) throw new Error("There is no container for the checkout");
  const frame = frameOf(url, options);
  Object.assign(frame.style, { width: "100%", minHeight: "46rem" });
  place.append(frame);
  return opened(url, frame, options, () => frame.remove());
}

/** A dialog of the browser keeps the focus inside, closes with Escape, and gives the focus back. */
function openModal(url: URL, options: SvcCheckoutOptions): SvcCheckout {
  const dialog = document.createElement("dialog");
  const close = document.createElement("button");
  const frame = frameOf(url, options);
  dialog.setAttribute("aria-label", frame.title);
  close.type = "button";
  close.textContent = "✕";
  close.setAttribute("aria-label", options.closeLabel ?? "Close");
  Object.assign(dialog.style, {
    ...{ width: "min(100vw, 32rem)", height: "min(100dvh, 52rem)", maxHeight: "none" },
    ...{ maxWidth: "none", padding: "0", border: "0", borderRadius: "1rem", overflow: "hidden" },
  });
  Object.assign(close.style, {
    ...{ position: "absolute", top: ".5rem", right: ".5rem", width: "2.75rem", height: "2.75rem" },
    ...{ border: "0", borderRadius: "50%", background: "#fff", color: "#111", font: "inherit" },
    ...{ cursor: "pointer", boxShadow: "0 0 0 1px #767676" },
  });
  Object.assign(frame.style, { width: "100%", height: "100%" });
  dialog.append(close, frame);
  document.body.append(dialog);
  const checkout = opened(url, frame, options, () => {
    dialog.close();
    dialog.remove();
  });
  close.addEventListener("click", () => checkout.close());
  dialog.addEventListener("close", () => checkout.close());
  dialog.showModal();
  return checkout;
}

function frameOf(url: URL, { title = "Checkout" }: SvcCheckoutOptions): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.src = url.href;
  frame.title = title;
  frame.referrerPolicy = "no-referrer";
  frame.allow = "clipboard-write";
  Object.assign(frame.style, { display: "block", border: "0" });
  return frame;
}

/** Listens to the frame, and to the signal, until it is closed. */
function opened(
  url: URL,
  frame: HTMLIFrameElement,
  { mode, onStatus, onClose, signal }: SvcCheckoutOptions,
  remove: () => void,
): SvcCheckout {
  const over = new AbortController();
  const close = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    remove();
    onClose?.();
  };
  const hear = ({ origin, source, data }: MessageEvent<unknown>): void => {
    if (origin !== url.origin || source !== frame.contentWindow) return;
    const event = statusEvent(data);
    if (event !== null) onStatus?.(event);
    if (mode === "modal" && typeOf(data) === "svc-checkout-escape") close();
  };
  addEventListener("message", hear, { signal: over.signal });
  signal?.addEventListener("abort", close, { signal: over.signal });
  return { checkoutUrl: url.href, close };
}

function statusEvent(data: unknown): SvcStatusEvent | null {
  if (typeof data !== "object" || data === null) return null;
  const { id, status, final }: Partial<Record<string, unknown>> = { ...data };
  if (typeOf(data) !== "svc-checkout" || typeof id !== "string" || !isStatus(status)) return null;
  return { id, status, final: final === true };
}

function typeOf(data: unknown): unknown {
  return typeof data === "object" && data !== null && "type" in data ? data.type : undefined;
}

function isStatus(status: unknown): status is SvcStatus {
  return typeof status === "string" && STATUSES.has(status);
}

/** The button; see `types/svcCheckout.d.ts`. */
export class SvcPayButton extends HTMLElement {
  metadata: Readonly<Record<string, string>> = {};
  readonly #button = document.createElement("button");

  constructor() {
    super();
    this.#button.type = "button";
    this.#button.part.add("button");
    this.#button.addEventListener("click", () => void this.#open());
    Object.assign(this.#button.style, {
      ...{ minHeight: "2.75rem", padding: ".5rem 1.25rem", border: "0", borderRadius: ".75rem" },
      ...{ background: "#0b6e5f", color: "#fff", font: "inherit", cursor: "pointer" },
    });
    this.attachShadow({ mode: "open", delegatesFocus: true }).append(this.#button);
  }

  connectedCallback(): void {
    this.#button.textContent = this.getAttribute("label") ?? "Pay";
  }

  async #open(): Promise<void> {
    const text = (name: string): string => this.getAttribute(name) ?? "";
    const mode = text("mode");
    const tell = (type: string, detail?: unknown): void => {
      this.dispatchEvent(new CustomEvent(`svc-${type}`, { detail, bubbles: true }));
    };
    this.#button.disabled = true;
    try {
      await openSvcCheckout({
        createInvoiceUrl: text("create-invoice-url"),
        orderId: text("order-id"),
        amount: text("amount"),
        metadata: this.metadata,
        allowedOrigins: text("allowed-origins").split(" "),
        mode: mode === "modal" || mode === "inline" ? mode : "redirect",
        container: this,
        title: this.#button.textContent,
        onStatus: (event) => tell("status", event),
        onClose: () => tell("close"),
      });
    } catch (error) {
      tell("error", error);
    } finally {
      this.#button.disabled = false;
    }
  }
}

if (!customElements.get("svc-pay-button")) customElements.define("svc-pay-button", SvcPayButton);
