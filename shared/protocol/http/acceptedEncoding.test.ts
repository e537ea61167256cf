import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";
import { acceptedEncoding, FILE_ENCODINGS, isEncodedName } from "./acceptedEncoding.ts";

const BOTH = FILE_ENCODINGS;

describe("the coding of an answer", () => {
  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br; q=0.5 , gzip ;q=0.5", "br"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0, br;q=0, *;q=1", null],
    ["identity, br;q=0.5", null],
    ["identity;q=0.5, br;q=0.5", "br"],
    ["identity;q=0", null],
    ["br;q=0", null],
    ["br, br;q=0", null],
    ["deflate, zstd, compress", null],
    ["", null],
    [" , ,, ", null],
  ])("for %j is %j", (header, coding) => {
    expect(acceptedEncoding(header, BOTH)).toBe(coding);
  });

  it("is one that is there, and none without a header", () => {
    expect(acceptedEncoding("br, gzip;q=0.1", ["gzip"])).toBe("gzip");
    expect(acceptedEncoding("br, gzip", [])).toBeNull();
    expect(acceptedEncoding(null, BOTH)).toBeNull();
    expect(acceptedEncoding(undefined, BOTH)).toBeNull();
  });

  it.each(["br;q=2", "br;q=-1", "br;q=1e3", "br;q=NaN", "br;q=", "br;q=0.00001", "br;q=1.001"])(
    "is not one whose weight is no weight: %s",
    (header) => {
      expect(acceptedEncoding(header, BOTH)).toBeNull();
    },
  );

  it("is none for a header that is longer than any browser's, whatever it asks for", () => {
    const long = `br${", x".repeat(PROTOCOL_LIMITS.acceptEncodingChars)}`;
    expect(acceptedEncoding(long, BOTH)).toBeNull();
    const longest = "br".padEnd(PROTOCOL_LIMITS.acceptEncodingChars, ",");
    expect(acceptedEncoding(longest, BOTH)).toBe("br");
  });

  it("is always one that is there and that the header names, for any header", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: "binary" }), (header) => {
        const coding = acceptedEncoding(header, BOTH);
        if (coding === null) return true;
        return header.includes("*") || header.toLowerCase().includes(coding);
      }),
    );
  });
});

it("names of built forms are told from those of files", () => {
  expect(["a.js.br", "a.wasm.gz"].every(isEncodedName)).toBe(true);
  expect(["a.js", "br", "gz.html"].some(isEncodedName)).toBe(false);
});
