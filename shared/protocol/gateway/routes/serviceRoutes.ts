/** Routes that tell prices, what an API key may do, and how the gateway is. */
import * as v from "valibot";
import {
  flag,
  flagOf,
  integer,
  integerOf,
  sompiOf,
  text,
  textOf,
  word,
} from "../../contract/answerFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import { NEW_INVOICE } from "../exampleRecords.ts";
import { currencyField } from "../gatewayFields.ts";
import { quote } from "../invoiceRecord.ts";
import { priceFields } from "../invoiceTerms.ts";
import { KEY_SCOPES, route } from "../route.ts";

/** What one coin costs. */
export const rate = v.object({
  currency: text,
  rate: textOf("Price of one coin in that currency, as decimal text."),
  source: textOf("Who told the rate."),
  time: integerOf("When it was told, in Unix seconds."),
  stale: flagOf("Too old for an invoice to be made with it."),
});

const health = v.object({ ok: v.literal(true), service: v.literal("svc-gateway") });
const ALIVE = { ok: true, service: "svc-gateway" } as const;

const { currency, rate: coin, source, time } = NEW_INVOICE.quote;

const PRICE_ROUTES = {
  rates: route({
    group: "prices",
    method: "GET",
    path: "/api/v1/rates",
    credential: "key",
    scope: "any",
    query: v.object({ currency: v.optional(currencyField) }),
    answer: v.object({ rates: v.array(rate) }),
    about: "Lists the price of a coin in each currency that the gateway has a rate of, or in one.",
    example: {
      path: "/api/v1/rates?currency=EUR",
      answer: { rates: [{ currency, rate: coin, source, time, stale: false }] },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  quote: route({
    group: "prices",
    method: "POST",
    path: "/api/v1/quotes",
    credential: "key",
    scope: "any",
    body: priceFields,
    answer: v.object({
      ...quote.entries,
      amountSompi: sompiOf("What an invoice of this price would ask for now."),
    }),
    refusals: ["gateway/price-stale"],
    about: "Tells what an invoice of a price would ask for now; it freezes nothing.",
    example: {
      body: { currency, value: NEW_INVOICE.quote.value },
      answer: { ...NEW_INVOICE.quote, amountSompi: NEW_INVOICE.amountSompi },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
} as const;

const KEY_ROUTES = {
  ownKey: route({
    group: "key",
    method: "GET",
    path: "/api/v1/key",
    credential: "key",
    scope: "any",
    answer: v.object({
      id: textOf("Its name, which is no credential."),
      label: text,
      merchant: v.object({ id: text, name: text }),
      scopes: v.array(word(KEY_SCOPES)),
      network: text,
      livemode: flag,
      createdAt: integer,
    }),
    about: "Tells what the API key of the request may do, and whose it is.",
    example: {
      answer: {
        id: `key_${"9c".repeat(8)}`,
        label: "shop",
        merchant: { id: "default", name: "Example shop" },
        scopes: ["invoices:read", "invoices:write"],
        network: "mainnet",
        livemode: true,
        createdAt: NEW_INVOICE.createdAt - 86_400,
      },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
} as const;

const HEALTH_ROUTES = {
  health: route({
    group: "health",
    method: "GET",
    path: "/health",
    credential: "none",
    scope: "any",
    answer: health,
    about: "Tells that the gateway answers.",
    example: { answer: ALIVE },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  live: route({
    group: "health",
    method: "GET",
    path: "/health/live",
    credential: "none",
    scope: "any",
    answer: health,
    about: "Tells that the process is alive, for who restarts it when it is not.",
    example: { answer: ALIVE },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  ready: route({
    group: "health",
    method: "GET",
    path: "/health/ready",
    credential: "none",
    scope: "any",
    answer: v.object({
      ready: flag,
      reasons: v.array(text),
      scannerLagSeconds: v.optional(
        v.nullable(integerOf("Age of the newest block that was scanned. Null while none was.")),
        null,
      ),
    }),
    about:
      "Tells whether invoices can be made and payments are seen; 503 with the same answer while they cannot.",
    example: {
      answer: {
        ready: false,
        reasons: ["The scanner has told nothing for 90 s."],
        scannerLagSeconds: 90,
      },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    tellsReadiness: true,
  }),
} as const;

/** The rows. */
export const SERVICE_ROUTES = { ...PRICE_ROUTES, ...KEY_ROUTES, ...HEALTH_ROUTES } as const;
