/**
 * Routes of a till: a browser in a shop that is signed in by a password, and holds a cookie in place of an API key. It begins sales, and reads
 * its own ones of a day.
 */
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
import { requestObject, textField } from "../../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import { INVOICE_ID, NEW_INVOICE } from "../exampleRecords.ts";
import { amountField, currencyField, patternField, priceField } from "../gatewayFields.ts";
import { INVOICE_STATUSES } from "../invoiceRecord.ts";
import { route } from "../route.ts";
import { sale } from "../saleRecord.ts";
import { rate } from "./serviceRoutes.ts";

/** Name of the cookie of a gateway that is reached over https; over http it has no prefix. */
export const TILL_COOKIE = "__Host-svc-till";

/** Name of the cookie by which a device is known that signed in before. It gives no right but its own share of tries to sign in. */
export const TILL_DEVICE_COOKIE = "__Host-svc-till-device";

/** The name of a till: nobody else at the gateway has it. */
export const TILL_NAME = /^[a-z0-9-]{1,32}$/;

const DAY = /^\d{4}-\d\d-\d\d$/;

const till = v.object({
  name: text,
  storeName: text,
  currency: v.nullable(textOf("What it rings up in beside coins. Null for coins alone.")),
  timeZone: textOf("By it a day begins and ends, as the time zone database names it."),
  tips: v.array(integerOf("Percent.")),
  network: text,
  livemode: flagOf("Whether the coins are those of the main network."),
  rate: v.nullable(rate),
  day: textOf("The present day there."),
  expiresAt: integerOf("Until then it is signed in."),
  serverTime: integer,
});

const priced = v.object({ currency: text, value: text, tip: text });

const total = v.object({
  status: word(INVOICE_STATUSES),
  count: integer,
  amountSompi: sompiOf("Their amounts, with their tips."),
  tipSompi: sompiOf("Their tips."),
  paidSompi: sompiOf("What was paid of them."),
  prices: v.pipe(v.array(priced), v.description("Of those that were rung up in a currency.")),
});

const close = v.object({
  till: text,
  day: text,
  timeZone: text,
  complete: flagOf("Whether all sales of the day are in it."),
  totals: v.pipe(v.array(total), v.description("By state, without those that no sale is in.")),
  sales: v.pipe(v.array(sale), v.description("The newest first.")),
  serverTime: integer,
});

const dayQuery = v.object({
  day: v.optional(
    patternField(
      DAY,
      "a day such as 2026-11-27",
      "The present day or the one before; the present one when left out.",
    ),
  ),
});

const amounts = requestObject({
  amountSompi: v.nullish(amountField(1n, "What is to be paid without the tip. Or give `price`.")),
  tipSompi: v.nullish(amountField(0n, "A tip to an amount in sompi.")),
  price: v.nullish(
    requestObject({
      currency: currencyField,
      value: priceField,
      tip: v.nullish(priceField),
    }),
  ),
});

type Amounts = v.InferOutput<typeof amounts>;

const saleTerms = v.pipe(
  amounts,
  v.forward(
    v.check(
      (terms: Amounts) => isGiven(terms.amountSompi) || isGiven(terms.price),
      "given, or price in its place",
    ),
    ["amountSompi"],
  ),
  v.forward(
    v.check(
      (terms: Amounts) =>
        !(isGiven(terms.price) && (isGiven(terms.amountSompi) || isGiven(terms.tipSompi))),
      "left out where sompi are given",
    ),
    ["price"],
  ),
);

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

const { currency, rate: coin, source, time } = NEW_INVOICE.quote;
const AT = NEW_INVOICE.createdAt;
const DAY_THEN = "2026-07-26";

const EXAMPLE_TILL = {
  name: "counter",
  storeName: "Example shop",
  currency,
  timeZone: "Europe/Berlin",
  tips: [5, 10, 15],
  network: "mainnet",
  livemode: true,
  rate: { currency, rate: coin, source, time, stale: false },
  day: DAY_THEN,
  expiresAt: AT + MERCHANT_LIMITS.tillSessionSeconds,
  serverTime: AT,
} as const;

/** A sale of 20.00 with a tip of 2.00. */
const EXAMPLE_SALE = {
  id: INVOICE_ID,
  status: "new",
  amountSompi: "275000000",
  tipSompi: "25000000",
  paidSompi: "0",
  overpaidSompi: "0",
  late: false,
  price: { currency, value: "22.00", tip: "2.00", rate: coin, source, time },
  createdAt: AT,
  expiresAt: NEW_INVOICE.expiresAt,
} as const;

const COMMON = {
  group: "till",
  credential: "till",
  scope: "any",
  timeoutMs: MERCHANT_LIMITS.callMs,
} as const;

/** The rows. */
export const TILL_ROUTES = {
  signIn: route({
    ...COMMON,
    method: "POST",
    path: "/pos/v1/session",
    credential: "password",
    body: requestObject({
      till: patternField(TILL_NAME, "the name of a till"),
      password: v.pipe(
        textField,
        v.check(
          (password) => password !== "" && password.length <= MERCHANT_LIMITS.tillPasswordChars,
          `1 to ${MERCHANT_LIMITS.tillPasswordChars} characters`,
        ),
      ),
    }),
    answer: till,
    refusals: ["gateway/bad-sign-in"],
    about:
      "Signs a till in: the answer sets a cookie that no script can read. A till that does not exist and a wrong password are answered alike. A second cookie, a year long, makes the device known: it gives a share of tries of its own, and no right.",
    example: { body: { till: "counter", password: "correct horse battery" }, answer: EXAMPLE_TILL },
    endsWithCaller: false,
  }),
  signOut: route({
    ...COMMON,
    method: "DELETE",
    path: "/pos/v1/session",
    answer: v.object({ signedOut: flag }),
    about: "Signs a till out: its cookie is good for nothing any more.",
    example: { answer: { signedOut: true } },
    endsWithCaller: false,
  }),
  till: route({
    ...COMMON,
    method: "GET",
    path: "/pos/v1/session",
    answer: till,
    about: "Gives the till that is signed in, with the newest rate of its currency.",
    example: { answer: EXAMPLE_TILL },
  }),
  createSale: route({
    ...COMMON,
    method: "POST",
    path: "/pos/v1/sales",
    body: saleTerms,
    answer: sale,
    refusals: ["gateway/no-address", "gateway/price-stale", "amount/too-large"],
    about:
      "Begins a sale: an invoice whose order names till and day. The customer pays it at `/checkout/{id}`, or by what `/api/v1/checkout/{id}` shows.",
    example: {
      body: { price: { currency, value: "20.00", tip: "2.00" } },
      answer: EXAMPLE_SALE,
    },
    status: 201,
    takesKey: true,
    endsWithCaller: false,
    timeoutMs: MERCHANT_LIMITS.createMs,
  }),
  dayClose: route({
    ...COMMON,
    method: "GET",
    path: "/pos/v1/close",
    query: dayQuery,
    answer: close,
    about: "Gives the till's own sales of a day, with totals by state.",
    example: {
      path: `/pos/v1/close?day=${DAY_THEN}`,
      answer: {
        till: "counter",
        day: DAY_THEN,
        timeZone: "Europe/Berlin",
        complete: true,
        totals: [
          {
            status: "new",
            count: 1,
            amountSompi: "275000000",
            tipSompi: "25000000",
            paidSompi: "0",
            prices: [{ currency, value: "22.00", tip: "2.00" }],
          },
        ],
        sales: [EXAMPLE_SALE],
        serverTime: AT,
      },
    },
  }),
  dayCloseCsv: route({
    ...COMMON,
    method: "GET",
    path: "/pos/v1/close.csv",
    query: dayQuery,
    answer: text,
    about: "The same as CSV, one line for each sale, with times of the till's time zone.",
    example: {
      path: `/pos/v1/close.csv?day=${DAY_THEN}`,
      answer:
        "time,time_zone,till,sale,state,currency,price,tip,rate,rate_source,rate_time,amount_coins,tip_coins,paid_coins,overpaid_coins\r\n",
    },
    isCsv: true,
  }),
} as const;
