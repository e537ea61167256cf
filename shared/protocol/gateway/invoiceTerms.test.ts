/** What may be asked for with an invoice: each bound just inside and just outside (gateway sheet 11). */
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { parseExactJson } from "../contract/numberText.ts";
import { wireFault } from "../contract/wireFault.ts";
import { invoiceChange, invoiceTerms } from "./invoiceTerms.ts";

/** What JSON text is read as, or the code and field of its refusal. */
function readText(text: string, schema: v.GenericSchema = invoiceTerms): unknown {
  const result = v.safeParse(schema, parseExactJson(text));
  if (result.success) return result.output;
  const { code, data } = wireFault(result.issues, "body");
  return `${code} ${data["field"]}`;
}

/** The same of a body that is right but for these fields. */
function read(fields: object): unknown {
  return readText(JSON.stringify({ orderId: "4711", amountSompi: "100", ...fields }));
}

const MOST = (1n << 63n) - 1n;

describe("an amount", () => {
  it("is decimal text from 1 to 2^63 - 1", () => {
    expect(read({ amountSompi: "1" })).toMatchObject({ amountSompi: 1n });
    expect(read({ amountSompi: String(MOST) })).toMatchObject({ amountSompi: MOST });
    for (const amountSompi of [
      "0",
      String(MOST + 1n),
      "-1",
      "+1",
      "01",
      "1.0",
      "1e3",
      " 1",
      "0x1",
      "",
      "1".repeat(100_000),
    ]) {
      expect(read({ amountSompi }), amountSompi.slice(0, 40)).toBe("api/bad-field amountSompi");
    }
  });

  it("is no number of JSON", () => {
    for (const amountSompi of [1, 0, 1.5, true, {}, []]) {
      expect(read({ amountSompi })).toBe("api/wrong-type amountSompi");
    }
  });

  it("or a price is given, and not both", () => {
    const price = { currency: "EUR", value: "19.99" };
    expect(readText('{"orderId":"1"}')).toBe("api/bad-field amountSompi");
    expect(read({ amountSompi: null, price })).toMatchObject({ amountSompi: null, price });
    expect(read({ price: null })).toMatchObject({ amountSompi: 100n });
    expect(read({ price })).toBe("api/bad-field price");
  });
});

describe("a price", () => {
  const priced = (price: unknown) => read({ amountSompi: null, price });
  const valued = (value: unknown) => priced({ currency: "EUR", value });

  it("is a positive number as decimal text", () => {
    for (const value of ["1", "0.01", "999999999999.99999999", "0.00000001", "10.50"]) {
      expect(valued(value), value).toMatchObject({ price: { currency: "EUR", value } });
    }
    for (const value of [
      "0",
      "0.00",
      "-1",
      "+1",
      "1,5",
      ".5",
      "5.",
      "01",
      "1e3",
      "",
      "1000000000000",
      "0.000000001",
      "NaN",
    ]) {
      expect(valued(value), value).toBe("api/bad-field price.value");
    }
    expect(valued(19.99)).toBe("api/wrong-type price.value");
    expect(priced({ currency: "EUR" })).toBe("api/missing-field price.value");
    expect(priced("20 EUR")).toBe("api/wrong-type price");
  });

  it("is in a currency of three capital letters", () => {
    for (const currency of ["eur", "EU", "EURO", "€", ""]) {
      expect(priced({ currency, value: "1" })).toBe("api/bad-field price.currency");
    }
  });
});

describe("an order number", () => {
  it("has 1 to 128 printable characters, whatever their language", () => {
    for (const orderId of ["1", "x".repeat(128), "№ 17 – ä", "😀".repeat(128)]) {
      expect(read({ orderId })).toMatchObject({ orderId });
    }
    for (const orderId of [
      "",
      "x".repeat(129),
      "😀".repeat(129),
      "a\nb",
      "a\u0000",
      "\u202eabc",
      "a\u2028b",
      "\ud800",
      "x".repeat(1_000_000),
    ]) {
      expect(read({ orderId }), JSON.stringify(orderId.slice(0, 20))).toBe("api/bad-field orderId");
    }
    expect(read({ orderId: 4711 })).toBe("api/wrong-type orderId");
    expect(readText('{"amountSompi":"1"}')).toBe("api/missing-field orderId");
  });
});

describe("counts", () => {
  const bounds: readonly (readonly [string, number, number])[] = [
    ["expiresIn", 60, 2_592_000],
    ["requiredBlueScore", 1, 10_000],
    ["monitorSeconds", 0, 2_592_000],
  ];

  it.each(bounds)("%s goes from %i to %i", (name, least, most) => {
    expect(read({ [name]: least })).toMatchObject({ [name]: least });
    expect(read({ [name]: most })).toMatchObject({ [name]: most });
    for (const value of [least - 1, most + 1, least + 0.5, Number.MAX_SAFE_INTEGER]) {
      expect(read({ [name]: value }), String(value)).toBe(`api/bad-field ${name}`);
    }
    expect(readText(`{"orderId":"1","amountSompi":"1","${name}":1e2}`)).toBe(
      `api/bad-field ${name}`,
    );
    expect(readText(`{"orderId":"1","amountSompi":"1","${name}":${"9".repeat(5_000)}}`)).toBe(
      `api/bad-field ${name}`,
    );
    expect(read({ [name]: String(most) })).toBe(`api/wrong-type ${name}`);
    expect(read({ [name]: null })).toMatchObject({ [name]: null });
  });
});

describe("a redirect", () => {
  const long = (chars: number) => `https://a.example/${"x".repeat(chars - 18)}`;

  it("goes to http or https, in 2,048 characters", () => {
    const redirectUrl = "https://shop.example.com/?o={OrderId}&i={InvoiceId}";
    expect(read({ redirectUrl })).toMatchObject({ redirectUrl });
    expect(read({ redirectUrl: long(2_048) })).toMatchObject({ redirectUrl: long(2_048) });
    expect(read({ redirectUrl: long(2_049) })).toBe("api/bad-field redirectUrl");
    expect(read({ redirectUrl: "javascript:alert(1)" })).toBe("api/bad-field redirectUrl");
    expect(read({ redirectUrl: 7 })).toBe("api/wrong-type redirectUrl");
  });
});

describe("metadata", () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

  it("has at most 20 keys of 40 characters, and values of 500", () => {
    for (const metadata of [
      {},
      keys(20),
      { ["k".repeat(40)]: "" },
      { k: "v".repeat(500) },
      { k: "ü\n\u0000" },
    ]) {
      expect(read({ metadata })).toMatchObject({ metadata });
    }
    expect(read({ metadata: keys(21) })).toBe("api/bad-field metadata");
    expect(read({ metadata: { ["k".repeat(41)]: "" } })).toBe("api/bad-field metadata");
    expect(read({ metadata: { "": "v" } })).toBe("api/bad-field metadata");
    expect(read({ metadata: { k: "v".repeat(501) } })).toBe("api/bad-field metadata.k");
  });

  it("has at most 8,192 bytes, keys and values together", () => {
    const sized = (bytes: number) => ({
      ...Object.fromEntries(
        Array.from({ length: 16 }, (_, index) => [`k${index + 10}`, "v".repeat(497)]),
      ),
      last: "v".repeat(bytes - 16 * 500 - 4),
    });
    expect(read({ metadata: sized(8_192) })).toMatchObject({ metadata: sized(8_192) });
    expect(read({ metadata: sized(8_193) })).toBe("api/bad-field metadata");
    // The same number of characters takes three times the bytes.
    const wide = Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [`k${index}`, "€".repeat(500)]),
    );
    expect(read({ metadata: wide })).toBe("api/bad-field metadata");
  });

  it("holds texts alone", () => {
    for (const value of [1, null, true, { a: "b" }, ["a"]]) {
      expect(read({ metadata: { k: value } })).toBe("api/bad-field metadata.k");
    }
    for (const metadata of [7, "x", ["a"], true]) {
      expect(read({ metadata })).toBe("api/wrong-type metadata");
    }
  });

  it("keeps keys that objects know", () => {
    const text = '{"metadata":{"__proto__":"a","constructor":"b","toString":"c"}}';
    const output = readText(text, invoiceChange);
    expect(JSON.stringify(output)).toBe(text);
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
  });
});

describe("tolerances and limits", () => {
  it("are decimal text from 0", () => {
    for (const name of ["toleranceUnderSompi", "toleranceOverSompi", "poolLimitSompi"]) {
      expect(read({ [name]: "0" })).toMatchObject({ [name]: 0n });
      expect(read({ [name]: "99" })).toMatchObject({ [name]: 99n });
      for (const value of ["-1", "1.5", String(MOST + 1n)]) {
        expect(read({ [name]: value })).toBe(`api/bad-field ${name}`);
      }
      expect(read({ [name]: 1 })).toBe(`api/wrong-type ${name}`);
    }
  });

  it("never let an invoice be paid by nothing", () => {
    expect(read({ toleranceUnderSompi: "99" })).toMatchObject({ toleranceUnderSompi: 99n });
    expect(read({ toleranceUnderSompi: "100" })).toBe("api/bad-field toleranceUnderSompi");
  });
});

describe("a language", () => {
  it("is a tag", () => {
    for (const language of ["en", "de-AT", "zh-Hant-TW"]) {
      expect(read({ language })).toMatchObject({ language });
    }
    for (const language of ["", "e", "english", "de_AT", "../en"]) {
      expect(read({ language })).toBe("api/bad-field language");
    }
  });
});

describe("a body", () => {
  it("may have fields that nobody knows", () => {
    const output = read({ later: { x: 1 }, checkout: [] });
    expect(output).toMatchObject({ orderId: "4711" });
    expect(output).not.toHaveProperty("later");
  });

  it("is an object", () => {
    for (const text of ["[]", "7", '"x"', "null"]) {
      expect(readText(text)).toBe("api/wrong-type body");
    }
  });
});
