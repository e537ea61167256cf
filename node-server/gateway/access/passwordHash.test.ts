/** Tests of the passwords of tills at rest: a vector of RFC 7914, and what is stored. */
import { describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { hashPassword, isPassword, passwordOfNobody, SALT_BYTES } from "./passwordHash.ts";

const CHEAP = { n: 16, r: 8, p: 1 };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const secretOf = (text: string) => new Secret(bytesOf(text));

describe("a password", () => {
  it("is hashed by scrypt, as RFC 7914 shows (12, first half of the third vector)", async () => {
    const stored = {
      ...{ n: 16_384, r: 8, p: 1 },
      salt: encodeHex(bytesOf("SodiumChloride")),
      hash: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2",
    };
    expect(await isPassword(secretOf("pleaseletmein"), stored)).toBe(true);
    expect(await isPassword(secretOf("pleaseletmeim"), stored)).toBe(false);
    expect(await isPassword(secretOf("pleaseletmein"), { ...stored, p: 2 })).toBe(false);
  });

  it("is stored with its salt and its cost, by which it is recognised", async () => {
    const salt = new Uint8Array(SALT_BYTES).fill(7);
    const stored = await hashPassword(secretOf("a password"), salt, CHEAP);
    expect(stored).toMatchObject({ ...CHEAP, salt: encodeHex(salt) });
    expect(await isPassword(secretOf("a password"), stored)).toBe(true);
    const salted = await hashPassword(secretOf("a password"), salt.fill(8), CHEAP);
    expect(salted.hash).not.toBe(stored.hash);
  });

  it("of nobody costs what one of a till does, and is none", async () => {
    expect(passwordOfNobody()).toMatchObject({ n: 32_768, r: 8, p: 3 });
    expect(await isPassword(secretOf("a password"), passwordOfNobody(CHEAP))).toBe(false);
  });
});
