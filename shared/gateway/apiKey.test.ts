import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { asHash32 } from "../base/brand.ts";
import { fields } from "../base/fields.ts";
import { decodeHex } from "../base/hex.ts";
import { API_KEY_BYTES, apiKeyMode, hashApiKey, makeApiKey, sameKeyHash } from "./apiKey.ts";

const form = v.object({
  keys: v.array(
    v.object({
      mode: v.picklist(["live", "test"]),
      random: fields.hex,
      key: v.string(),
      hash: fields.hash32,
    }),
  ),
});
const { keys } = v.parse(
  form,
  JSON.parse(readFileSync(new URL("../../tests/vectors/api-key.json", import.meta.url), "utf8")),
);
const bytes = fc.uint8Array({ minLength: API_KEY_BYTES, maxLength: API_KEY_BYTES });
const KEY = makeApiKey(
  "live",
  Uint8Array.from({ length: API_KEY_BYTES }, (_, place) => (place * 37) & 0xff),
);
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** The bits of a text of the alphabet, read another way than they were written. */
const bitsOf = (text: string) =>
  [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, "0")).join("");

describe("an API key", () => {
  it("holds 160 random bits and a checksum of four characters", () => {
    fc.assert(
      fc.property(fc.constantFrom("live", "test"), bytes, (mode, given) => {
        const key = makeApiKey(mode, given);
        expect(key).toMatch(/^svc_(live|test)_[a-z2-7]{32}[a-z2-7]{4}$/);
        const written = [...given].map((byte) => byte.toString(2).padStart(8, "0")).join("");
        expect(bitsOf(key.slice(9, -4))).toBe(written);
        expect(apiKeyMode(key)).toBe(mode);
      }),
    );
  });

  it.each(keys)("is that of the vector $key", async ({ mode, random, key, hash }) => {
    expect(makeApiKey(mode, decodeHex(random))).toBe(key);
    expect(apiKeyMode(key)).toBe(mode);
    expect(await hashApiKey(key)).toBe(hash);
  });

  it("is refused with any character changed, left out or doubled", () => {
    for (const [place, char] of [...KEY].entries()) {
      const before = KEY.slice(0, place);
      const after = KEY.slice(place + 1);
      for (const other of `${ALPHABET}A1_`) {
        if (other !== char) expect(apiKeyMode(before + other + after), other).toBeNull();
      }
      expect(apiKeyMode(before + after)).toBeNull();
      expect(apiKeyMode(before + char + char + after)).toBeNull();
    }
  });

  it("changes its checksum with its mode", () => {
    expect(apiKeyMode(KEY.replace("live", "test"))).toBeNull();
  });

  it.each([
    "",
    "svc_live_",
    "svc_prod_",
    ` ${"a".repeat(45)}`,
    "a".repeat(1_000_000),
    "svc_live_\n",
  ])("is not a text like %.20s", (text) => {
    expect(apiKeyMode(text)).toBeNull();
  });

  it("is not made of another number of bytes", () => {
    for (const length of [0, 16, 19, 21]) {
      expect(() => makeApiKey("live", new Uint8Array(length))).toThrow("number-out-of-range");
    }
  });
});

describe("two hashes of keys", () => {
  it("are the same only with every byte", () => {
    const hash = "5".repeat(64);
    expect(sameKeyHash(asHash32(hash), asHash32(hash))).toBe(true);
    for (let place = 0; place < 64; place += 1) {
      const other = `${hash.slice(0, place)}4${hash.slice(place + 1)}`;
      expect(sameKeyHash(asHash32(hash), asHash32(other))).toBe(false);
    }
  });
});
