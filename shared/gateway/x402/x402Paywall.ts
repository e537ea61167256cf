/**
 * Paywall of x402 version 2 as Hono middleware. A request without a payment is answered with 402 and a challenge of its own; one with a
 * payment is served after its settlement, once; one with the token of a prepaid session is served when its price was taken.
 *
 * Nothing is served while nobody can tell whether it was paid for: 503 then.
 */
import type { Context, MiddlewareHandler } from "hono";
import * as v from "valibot";
import { asHash32 } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import {
  payloadAsked,
  SESSION_EXTENSION,
  X402_VERSION,
} from "../../protocol/gateway/x402Records.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import { headerOf, valueOfHeader } from "./base64Bytes.ts";
import { LostAnswers } from "./lostAnswers.ts";
import type { PaywallPayment, PaywallPort } from "./paywallPort.ts";
import { sessionHashOf } from "./sessionToken.ts";

/** Headers of a paid request and its answers. */
export const X402_HEADERS = {
  required: "PAYMENT-REQUIRED",
  signature: "PAYMENT-SIGNATURE",
  response: "PAYMENT-RESPONSE",
  /** Ours: the token of a prepaid session, and what is left of it. */
  session: "PAYMENT-SESSION",
  balance: "PAYMENT-SESSION-BALANCE",
} as const;

/** What a request costs. */
export type PaywallPrice = {
  readonly amountSompi: bigint;
  readonly description?: string;
  readonly mimeType?: string;
  /** Depth at which a payment is settled; left out for what the merchant's policy says of the amount. */
  readonly requiredBlueScore?: number;
};

/** Dependencies and settings. */
export type PaywallParts = {
  readonly port: PaywallPort;
  /** The price of a request. It must be the same when the request comes again with its payment. */
  readonly price: (c: Context) => PaywallPrice | Promise<PaywallPrice>;
  /** What is paid at once for requests below the smallest fee, and how long that lasts; null to ask for each price alone. */
  readonly session: { readonly amountSompi: bigint; readonly seconds: number } | null;
  /** Where clients reach the resource, without a slash at its end; null for the URL of the request. */
  readonly publicUrl: string | null;
  /** Hears of what kept a payment from being checked. */
  readonly onError: (error: SvcError) => void;
};

type Parts = PaywallParts & { readonly lost: LostAnswers };

/** A request, its price, and what a payment for it must be. */
type Paid = {
  readonly c: Context;
  readonly price: PaywallPrice;
  readonly url: string;
  readonly resource: string;
  readonly asked: { readonly amountSompi: bigint; readonly sessionSeconds: number | null };
};

/** A request that is not served. */
type Turned = { readonly response: Response };

const BAD_REQUEST = 400;
const PAYMENT_REQUIRED = 402;
const UNAVAILABLE = 503;
const RETRY_SECONDS = "2";
const NO_STORE = "no-store";
const USED = "the payment was used";

/** Makes the middleware. */
export function x402Paywall(settings: PaywallParts): MiddlewareHandler {
  const parts = { ...settings, lost: new LostAnswers() };
  return async (c, next) => {
    let turned: Turned | null;
    try {
      turned = await judge(parts, c);
    } catch (thrown) {
      parts.onError(SvcError.from(thrown));
      return unavailable(c, "payments cannot be checked now");
    }
    if (turned !== null) return turned.response;
    await next();
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", NO_STORE);
    return undefined;
  };
}

/** Null for a request that is served; its headers are set then. */
async function judge(parts: Parts, c: Context): Promise<Turned | null> {
  const paid = await paidOf(parts, c);
  const signature = c.req.header(X402_HEADERS.signature);
  if (signature !== undefined) return judgePayment(parts, paid, signature);
  const token = c.req.header(X402_HEADERS.session);
  if (token !== undefined) return judgeSession(parts, paid, token);
  return required(parts, paid, `${X402_HEADERS.signature} is missing`);
}

async function paidOf(
  { price: priceOf, session, publicUrl }: PaywallParts,
  c: Context,
): Promise<Paid> {
  const price = await priceOf(c);
  const { pathname, search, href } = new URL(c.req.url);
  const url = publicUrl === null ? href : `${publicUrl}${pathname}${search}`;
  const isSmall = session !== null && price.amountSompi < MERCHANT_LIMITS.smallestFeeSompi;
  const asked = isSmall
    ? { amountSompi: session.amountSompi, sessionSeconds: session.seconds }
    : { amountSompi: price.amountSompi, sessionSeconds: null };
  return { c, price, url, resource: `${c.req.method} ${url}`, asked };
}

/** Serves what a session pays for. */
async function judgeSession(
  parts: PaywallParts,
  paid: Paid,
  token: string,
): Promise<Turned | null> {
  const hash = await sessionHashOf(token);
  if (hash === null) return malformed(paid.c, X402_HEADERS.session);
  const { c, price } = paid;
  const spent = await parts.port.spend(hash, price.amountSompi, c.req.raw.signal);
  if (!spent.isValid)
    return required(parts, paid, spent.invalidReason ?? "the session does not pay");
  c.header(X402_HEADERS.balance, String(spent.balanceSompi));
  return null;
}

/** Serves what a payment pays for: checked, settled, and never twice. */
async function judgePayment(parts: Parts, paid: Paid, signature: string): Promise<Turned | null> {
  const { c } = paid;
  const { signal } = c.req.raw;
  const payment = paymentIn(paid, signature);
  if (payment === null) return malformed(c, X402_HEADERS.signature);
  // What was settled without an answer is valid no more: its settlement is asked for again.
  const unanswered = parts.lost.take(payment.requirements.extra.challenge);
  if (unanswered.length === 0) {
    const verdict = await parts.port.verify(payment, signal);
    if (!verdict.isValid) return required(parts, paid, verdict.invalidReason ?? "invalid_payload");
  }
  const settlement = await parts.lost.settle(parts.port, payment, unanswered);
  c.header(X402_HEADERS.response, headerOf(settlement));
  if (settlement.errorReason === "settlement_pending") {
    return { response: unavailable(c, "the payment is not settled yet: ask again with it") };
  }
  if (!settlement.success) return required(parts, paid, settlement.errorReason ?? USED);
  if (settlement.extra?.replayed !== false) return required(parts, paid, USED);
  return paid.asked.sessionSeconds === null ? null : firstOfSession(parts, paid, payment);
}

/** The request that opens a session is the first that it pays for. */
async function firstOfSession(
  parts: PaywallParts,
  paid: Paid,
  { payload }: PaywallPayment,
): Promise<Turned | null> {
  const { sessionHash } = payload.payload;
  const hash = v.safeParse(v.pipe(v.string(), v.transform(asHash32)), sessionHash);
  if (!hash.success) return required(parts, paid, "invalid_exact_svc_session");
  const { c, price } = paid;
  const spent = await parts.port.spend(hash.output, price.amountSompi, c.req.raw.signal);
  if (!spent.isValid)
    return required(parts, paid, spent.invalidReason ?? "the session does not pay");
  c.header(X402_HEADERS.balance, String(spent.balanceSompi));
  return null;
}

/** The payment in a header; null for none of version 2. What the resource asks for is the resource's own word, not the client's. */
function paymentIn({ asked, resource }: Paid, signature: string): PaywallPayment | null {
  let value: unknown;
  try {
    value = valueOfHeader(signature, MERCHANT_LIMITS.paymentBodyBytes);
  } catch {
    return null;
  }
  const read = v.safeParse(payloadAsked, value);
  if (!read.success) return null;
  const requirements = { ...read.output.accepted, amount: String(asked.amountSompi) };
  return { payload: read.output, requirements, resource };
}

/** Answers 402 with a challenge of its own. */
async function required(parts: PaywallParts, paid: Paid, error: string): Promise<Turned> {
  const { c, price, url, resource, asked } = paid;
  const wish = { ...asked, resource, requiredBlueScore: price.requiredBlueScore ?? null };
  const accepted = await parts.port.challenge(wish, c.req.raw.signal);
  const body = {
    x402Version: X402_VERSION,
    error,
    resource: resourceOf(url, price),
    accepts: [accepted],
    extensions: extensionsOf(paid),
  };
  return {
    response: answered(c, PAYMENT_REQUIRED, body, { [X402_HEADERS.required]: headerOf(body) }),
  };
}

function resourceOf(url: string, { description, mimeType }: PaywallPrice) {
  return {
    url,
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

/** What a client must know to open a session: one without it cannot pay a price below the smallest fee. */
function extensionsOf({ price, asked }: Paid): Readonly<Record<string, unknown>> {
  if (asked.sessionSeconds === null) return {};
  const info = {
    priceSompi: String(price.amountSompi),
    amountSompi: String(asked.amountSompi),
    seconds: asked.sessionSeconds,
    header: X402_HEADERS.session,
  };
  const schema = {
    type: "object",
    properties: {
      priceSompi: { type: "string" },
      amountSompi: { type: "string" },
      seconds: { type: "integer" },
      header: { type: "string" },
    },
  };
  return { [SESSION_EXTENSION]: { info, schema } };
}

function malformed(c: Context, header: string): Turned {
  return { response: answered(c, BAD_REQUEST, { error: `${header} cannot be read` }, {}) };
}

function unavailable(c: Context, error: string): Response {
  return answered(c, UNAVAILABLE, { error }, { "Retry-After": RETRY_SECONDS });
}

function answered(
  c: Context,
  status: 400 | 402 | 503,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Response {
  return c.body(JSON.stringify(body), status, {
    "Content-Type": "application/json",
    "Cache-Control": NO_STORE,
    ...headers,
  });
}
