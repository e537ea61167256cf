import { describe, expect, it } from "vitest";
import { INVOICE_STATUSES } from "../../protocol/gateway/invoiceRecord.ts";
import { asSompi } from "../../base/brand.ts";
import {
  momentAt,
  outputOf,
  blockAt,
  testInvoice,
  MADE_MS,
} from "../../invoice/testkit/invoices.ts";
import { exampleCheckout, PAID_SUMS } from "../testkit/exampleCheckout.ts";
import { checkoutRecordOf } from "../checkoutRecordOf.ts";
import { checkoutPage, problemPage } from "./checkoutPage.ts";
import type { Checkout } from "./checkoutState.ts";
import { ENGLISH } from "./messages/englishMessages.ts";
import { PAGE_LANGUAGES, pageLanguage, type PageLanguage } from "./pageLanguage.ts";
import { coinsText, priceText } from "./pageNumbers.ts";
import { frameOriginsOf, pageHeaders } from "./pageHeaders.ts";
import { qrPicture } from "./qrPicture.ts";

const NEW = exampleCheckout;
const ADDRESS: string = NEW.address;
const { part: PART, all: ALL, over: OVER } = PAID_SUMS;
const [english, german, spanish] = ["en", "de", "es"].map((tag) => pageLanguage(tag, undefined));

/** What each state has to say, in each language. */
const STATES: readonly {
  readonly is: string;
  readonly has: Partial<Checkout>;
  readonly says: Readonly<Record<PageLanguage["tag"], readonly string[]>>;
}[] = [
  {
    is: "new",
    has: {},
    says: {
      en: ["Waiting for your payment", "2.5 coins", "Pay before", "€20.00"],
      de: ["Warten auf Ihre Zahlung", "2,5 Münzen", "Zahlen bis", "20,00 €"],
      es: ["Esperando su pago", "2,5 monedas", "Pagar antes de", "20,00 €"],
    },
  },
  {
    is: "new, and seen in a pool",
    has: { seenSompi: "250000000" },
    says: {
      en: ["Payment on its way", "2.5 coins were seen"],
      de: ["Zahlung unterwegs", "2,5 Münzen wurden gesehen"],
      es: ["Pago en camino", "Se han visto 2,5 monedas"],
    },
  },
  {
    is: "partial",
    has: { status: "partial", ...PART },
    says: {
      en: ["You paid 1 coin. 1.5 coins are still due."],
      de: ["Sie haben 1 Münze gezahlt. Es fehlen noch 1,5 Münzen."],
      es: ["Ha pagado 1 moneda. Faltan 1,5 monedas."],
    },
  },
  {
    is: "partial, expired, and may be topped up",
    has: { status: "partial", ...PART, expired: true, canTopUp: true },
    says: {
      en: ["The time is over, and a part is missing", "Ask for more time</button>"],
      de: ["Die Zeit ist abgelaufen, und ein Teil fehlt", "Um mehr Zeit bitten</button>"],
      es: ["El plazo ha terminado y falta una parte", "Pedir más tiempo</button>"],
    },
  },
  {
    is: "paid",
    has: { status: "paid", ...ALL, confirmations: 3 },
    says: {
      en: ["Payment received", "3</span> of 1,000"],
      de: ["Zahlung eingegangen", "3</span> von 1.000"],
      es: ["Pago recibido", "3</span> de 1000"],
    },
  },
  {
    is: "confirmed",
    has: { status: "confirmed", ...ALL, redirectUrl: "https://shop.example/thanks" },
    says: {
      en: ["Your payment is complete.", "Return to Example shop"],
      de: ["Ihre Zahlung ist vollständig.", "Zurück zu Example shop"],
      es: ["Su pago está completo.", "Volver a Example shop"],
    },
  },
  {
    is: "overpaid",
    has: { status: "overpaid", ...OVER },
    says: {
      en: ["You paid 0.5 coins too much"],
      de: ["Sie haben 0,5 Münzen zu viel gezahlt"],
      es: ["Ha pagado 0,5 monedas de más"],
    },
  },
  {
    is: "expired",
    has: { status: "expired", expired: true },
    says: {
      en: ["The time to pay is over", "Nothing was paid."],
      de: ["Die Zeit zum Zahlen ist abgelaufen", "Es wurde nichts gezahlt."],
      es: ["El plazo para pagar ha terminado", "No se ha pagado nada."],
    },
  },
  {
    is: "paidLate",
    has: { status: "paidLate", ...ALL, expired: true, late: true },
    says: {
      en: ["Your payment came too late", "2.5 coins arrived after the time to pay."],
      de: ["Ihre Zahlung kam zu spät", "2,5 Münzen kamen nach Ablauf der Zeit an."],
      es: ["Su pago llegó demasiado tarde", "2,5 monedas llegaron después del plazo."],
    },
  },
];

const HERE = { frameOrigins: [], hasSocket: false };

function rendered(
  has: Partial<Checkout> = {},
  language: PageLanguage | undefined = english,
): string {
  const frame = { language: language ?? PAGE_LANGUAGES[0], nonce: "00ff", script: "/s.js" };
  return checkoutPage({ ...NEW, ...has }, frame, HERE).replaceAll("\u00a0", " ");
}

describe("the checkout page", () => {
  for (const { is, has, says } of STATES) {
    it(`says in each language that an invoice is ${is}`, () => {
      for (const language of [english, german, spanish]) {
        const page = rendered(has, language);
        for (const words of says[language?.tag ?? "en"]) expect(page).toContain(words);
        expect(page).toContain(`<html lang="${language?.tag}"`);
        // No slot is left open.
        expect(page).not.toMatch(/>[^<]*\{\w+\}[^<]*</);
        expect(page).not.toContain("undefined");
      }
    });
  }

  it("has words for every state of an invoice", () => {
    expect(new Set(STATES.map(({ has }) => has.status ?? "new"))).toEqual(
      new Set(INVOICE_STATUSES),
    );
  });

  it("has every message in every language, with the same slots, and none twice where English has it once", () => {
    const slotsOf = (text: string): readonly string[] => text.match(/\{\w+\}/g)?.toSorted() ?? [];
    for (const { messages } of PAGE_LANGUAGES) {
      expect(Object.keys(messages).toSorted()).toEqual(Object.keys(ENGLISH).toSorted());
      for (const [name, text] of Object.entries(messages)) {
        const same = Object.entries(ENGLISH).find(([other]) => other === name)?.[1] ?? "";
        expect(text, name).not.toBe("");
        expect(slotsOf(text), name).toEqual(slotsOf(same));
      }
    }
  });

  it("asks for what is due, by code, text and link, and only while it can be paid", () => {
    const page = rendered({ status: "partial", ...PART, paymentUri: `${ADDRESS}?amount=1.5` });
    expect(page).toContain(`alt="QR code of the payment link ${ADDRESS}?amount=1.5"`);
    expect(page).toContain(`href="${ADDRESS}?amount=1.5"`);
    expect(page).toContain(`src="${qrPicture(`${ADDRESS}?amount=1.5`)}"`);
    expect(page).toContain('data-copy="1.5"');
    expect(page).toContain("<dt>Still due</dt>");
    // Nothing is left over of what nobody has begun to pay.
    expect(rendered()).toContain("<dt>Amount</dt>");
    expect(rendered()).not.toContain("Still due");
    for (const status of ["paid", "confirmed", "overpaid", "expired", "paidLate"] as const) {
      const closed = rendered({ status, expired: status === "expired" });
      expect(closed, status).not.toContain(ADDRESS);
      expect(closed, status).not.toContain("<img");
    }
  });

  it("offers each receipt as a file, in each language, and none where there is none", () => {
    const receiptUrls = ["first", "second"].map((name) => `https://pay.example/receipts/${name}`);
    for (const [language, text] of [
      [english, "Save the receipt"],
      [german, "Quittung speichern"],
      [spanish, "Guardar el recibo"],
    ] as const) {
      const page = rendered({ status: "confirmed", ...ALL, receiptUrls }, language);
      for (const [place, url] of receiptUrls.entries()) {
        const number = place === 0 ? "" : " 2";
        expect(page).toContain(`href="${url}" download>${text}${number}</a>`);
      }
      expect(rendered({ status: "confirmed", ...ALL }, language)).not.toContain(text);
    }
  });

  it("reloads itself without script until the invoice is final", () => {
    const reload = '<noscript><meta http-equiv="refresh" content="10"></noscript>';
    expect(rendered()).toContain(reload);
    expect(rendered({ status: "expired", expired: true })).toContain(reload);
    expect(rendered({ status: "confirmed", ...ALL })).not.toContain(reload);
  });

  it("escapes the name of the shop, and takes no markup of a language, colour or address of return", () => {
    const evil = `"><script>alert(1)</script>{due}<img src=x onerror='x'>`;
    const page = rendered({
      storeName: evil,
      status: "confirmed",
      ...ALL,
      language: evil,
      redirectUrl: `javascript:alert(1)`,
      price: { currency: evil, value: evil },
      theme: { scheme: "auto", accent: `#fff}</style><script>` },
    });
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain("<img src=x");
    expect(page).not.toContain("javascript:");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;{due}");
    expect(pageLanguage(evil, evil).tag).toBe("en");
    const quoted = rendered({ redirectUrl: `https://shop.example/"onclick="x`, status: "expired" });
    expect(quoted).not.toContain(`"onclick="`);
  });

  it("says nothing of order, metadata and transactions", () => {
    const secret = testInvoice();
    const paid = {
      ...secret,
      payments: [
        {
          output: outputOf(0xabcdef, 100n),
          place: { kind: "mined", block: blockAt(1_001n, MADE_MS) } as const,
          seenMs: MADE_MS,
          settled: false,
          told: false,
        },
      ],
    };
    const invoice = {
      ...paid,
      terms: {
        ...paid.terms,
        orderId: "order-secret",
        metadata: { customer: "metadata-secret" },
        redirectUrl: "https://shop.example/{OrderId}",
      },
    };
    const { nowMs, tip } = momentAt(1_000n, 1_003n);
    const place = { publicUrl: "", network: "simnet", livemode: false, tip, nowMs };
    const look = { storeName: "", theme: NEW.theme, language: null };
    const record = checkoutRecordOf(invoice, place, look);
    expect(record.status).toBe("paid");
    const page = rendered(record);
    const [output] = invoice.payments;
    for (const text of [
      "order-secret",
      "metadata-secret",
      output?.output.txid ?? "",
      "shop.example",
    ]) {
      expect(page).not.toContain(text);
    }
    // The order stands only in the address of return that the merchant made so.
    expect(rendered({ ...record, status: "confirmed" })).not.toContain("order-secret");
  });

  it("has text that can be read on the merchant's colour", () => {
    expect(rendered({ theme: { scheme: "dark", accent: "#ffdd00" } })).toContain(
      "--accent:#ffdd00;--accent-ink:#000",
    );
    expect(rendered({ theme: { scheme: "light", accent: "#102080" } })).toContain(
      "--accent:#102080;--accent-ink:#fff",
    );
  });

  it("says why there is no checkout, in each language", () => {
    const frame = { nonce: "00ff", script: null };
    for (const language of PAGE_LANGUAGES) {
      const { messages } = language;
      expect(problemPage("missing", { ...frame, language })).toContain(messages.missingTitle);
      expect(problemPage("busy", { ...frame, language })).toContain(messages.busyText);
      expect(problemPage("fault", { ...frame, language })).toContain(messages.faultText);
    }
  });
});

describe("the language of a page", () => {
  it("is the invoice's, else the browser's, else English", () => {
    expect(pageLanguage("de-AT", "es").tag).toBe("de");
    expect(pageLanguage("fr", "es-MX").tag).toBe("es");
    expect(pageLanguage(null, "fr;q=0.9, DE;q=0.8, es;q=0.1").tag).toBe("de");
    expect(pageLanguage(null, "de;q=0, es;q=0.001").tag).toBe("es");
    expect(pageLanguage(null, "x".repeat(10_000)).tag).toBe("en");
    expect(pageLanguage(null, undefined).tag).toBe("en");
  });
});

describe("amounts and prices", () => {
  it("are exact, whatever their size", () => {
    const german = pageLanguage("de", undefined);
    expect(coinsText(asSompi(1n), german)).toBe("0,00000001\u00a0Münzen");
    expect(coinsText(9_223_372_036_854_775_807n, german)).toBe(
      "92.233.720.368,54775807\u00a0Münzen",
    );
    const price = { currency: "EUR", value: "999999999999.12345678" };
    expect(priceText(price, pageLanguage("en", undefined))).toBe("€999,999,999,999.12345678");
    expect(priceText({ currency: "points", value: "5" }, german)).toBe("5 points");
    expect(priceText({ currency: "JPY", value: "5" }, german)).toBe("5\u00a0¥");
  });
});

describe("the headers", () => {
  it("allow the page's own style and script, and the merchant's frames alone", () => {
    const origins = ["https://shop.example", "http://localhost:8080"];
    const policy = pageHeaders("00ff", origins)["Content-Security-Policy"] ?? "";
    expect(policy).toBe(
      "default-src 'none'; script-src 'nonce-00ff'; style-src 'nonce-00ff'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors https://shop.example http://localhost:8080",
    );
    expect(pageHeaders("00ff", [])).toMatchObject({
      "Content-Security-Policy": expect.stringContaining("frame-ancestors 'none'"),
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex",
    });
    const odd = ["*", "https://a.example; script-src *", "javascript:x", "https://b.example/path"];
    expect(frameOriginsOf(odd)).toEqual([]);
  });
});
