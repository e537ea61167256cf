import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { asAddressText } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import {
  decodeContacts,
  encodeContacts,
  withContact,
  withoutContact,
  type Contact,
  type Contacts,
} from "./contacts.ts";

const contact = v.object({
  address: v.pipe(v.string(), v.transform(asAddressText)),
  name: v.string(),
  proof: v.nullable(
    v.object({
      message: v.string(),
      checkedMs: v.pipe(
        v.string(),
        v.transform((text) => BigInt(text)),
      ),
    }),
  ),
});
const vectors = v.parse(
  v.object({ records: v.array(v.object({ contacts: v.array(contact), text: v.string() })) }),
  JSON.parse(
    readFileSync(new URL("../../../tests/vectors/contacts.json", import.meta.url), "utf8"),
  ),
);

const someone = (number: number): Contact => ({
  address: asAddressText(`svc:${number}`),
  name: `n ${number}`,
  proof: null,
});
const bookOf = (all: readonly Contact[]): Contacts =>
  all.reduce(withContact, new Map<never, never>());

describe("contacts", () => {
  it.each(vectors.records)("are stored as $text", ({ contacts, text }) => {
    expect(encodeContacts(bookOf(contacts.toReversed()))).toBe(text);
    expect([...decodeContacts(text).values()]).toEqual(contacts);
  });

  it("have one name for an address, cut to its limit, and can be taken out", () => {
    const max = WALLET_LIMITS.contactNameChars;
    const named = withContact(bookOf([someone(1)]), {
      ...someone(1),
      name: ` ${"☕".repeat(max + 1)} `,
    });
    expect([...named.values()].map(({ name }) => name)).toEqual(["☕".repeat(max)]);
    expect(decodeContacts(encodeContacts(named))).toEqual(named);
    expect(withoutContact(named, someone(1).address).size).toBe(0);
  });

  it("are bounded: one more is refused, another name for a kept one is not", () => {
    const full = bookOf(Array.from({ length: WALLET_LIMITS.contactsMax }, (_, at) => someone(at)));
    const code = "codec/count-too-large";
    expect(() => withContact(full, someone(-1))).toThrow(expect.objectContaining({ code }));
    expect(withContact(full, { ...someone(0), name: "other" }).size).toBe(full.size);
    const flood = encodeContacts(new Map([...full, [someone(-1).address, someone(-1)]]));
    expect(() => decodeContacts(flood)).toThrow(expect.objectContaining({ code: "store/corrupt" }));
  });

  it("are refused with any damaged byte, never half of them", () => {
    const text = vectors.records.at(-1)?.text ?? "";
    const { size } = decodeContacts(text);
    for (let at = 0; at < text.length; at += 1) {
      const changed = `${text.slice(0, at)}${text[at] === "#" ? "%" : "#"}${text.slice(at + 1)}`;
      let read: Contacts | null = null;
      try {
        read = decodeContacts(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(SvcError);
      }
      // A letter of a text may be another one; that something was lost may not.
      if (read !== null) expect(read.size).toBe(size);
    }
  });

  it.each([
    ['{"contacts":[],"version":2}', "store/version"],
    ['{"contacts":[["svc:a","",null]],"version":1}', "store/corrupt"],
    ['{"contacts":[["svc:a","x",null],["svc:a","y",null]],"version":1}', "store/corrupt"],
    ['{"contacts":[["svc:a","x",["m","-1"]]],"version":1}', "store/corrupt"],
    ['{"contacts":[["svc:a","x",["m","8640000000000001"]]],"version":1}', "store/corrupt"],
    ["", "store/corrupt"],
  ])("that are %s are refused", (text, code) => {
    expect(() => decodeContacts(text)).toThrow(expect.objectContaining({ code }));
  });
});
