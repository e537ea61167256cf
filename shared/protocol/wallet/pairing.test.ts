/** Pairing codes: written and read in one form, and never repaired. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { pairingHost, pairingText, parsePairing, UNKNOWN_HOST, type Pairing } from "./pairing.ts";

const text = v.nullable(v.string());
const vectors = v.parse(
  v.object({
    accepted: v.array(
      v.object({
        text: v.string(),
        pairing: v.object({
          host: text,
          port: v.number(),
          token: v.string(),
          network: text,
          fingerprint: text,
          wallet: text,
        }),
      }),
    ),
    refused: v.array(v.object({ what: v.string(), text: v.string() })),
  }),
  JSON.parse(readFileSync(new URL("../../../tests/vectors/pairing.json", import.meta.url), "utf8")),
);

const PAIRING: Pairing = {
  host: "203.0.113.7",
  port: 8_501,
  token: "5f".repeat(32),
  network: "simnet",
  fingerprint: "a1".repeat(32),
  wallet: null,
};

describe("a pairing code", () => {
  it.each(vectors.accepted)("$text is written and read", ({ text: code, pairing }) => {
    expect(parsePairing(code)).toEqual(pairing);
    expect(pairingText(pairing)).toBe(code);
  });

  it.each(vectors.refused)("$what: it is refused", ({ text: code }) => {
    expect(codeOf(() => parsePairing(code))).toBe("api/bad-pairing");
  });

  it("never means the same with another character in it, or one less, or one more", () => {
    const pairing = { ...PAIRING, wallet: "9f".repeat(16) };
    const code = pairingText(pairing);
    const read = (text: string) => codeOf(() => expect(parsePairing(text)).not.toEqual(pairing));
    let refused = 0;
    for (const at of Array.from(code).keys()) {
      const [before, after] = [code.slice(0, at), code.slice(at)];
      for (const sign of ["0", "z", "Z", "&", "=", "#", " ", "%", "\u0000", "ä"]) {
        const other = before + sign + after.slice(1);
        if (other !== code && read(other) !== "none") refused += 1;
        if (read(before + sign + after) !== "none") refused += 1;
      }
      if (read(before + after.slice(1)) !== "none") refused += 1;
    }
    expect(refused).toBeGreaterThan(code.length * 10);
  });

  it("takes its fields in any order", () => {
    const { token, fingerprint } = PAIRING;
    const code = `svc+https://203.0.113.7:8501#fp=${fingerprint}&net=simnet&token=${token}`;
    expect(parsePairing(code)).toEqual(PAIRING);
  });

  it("names an unknown host so that a person sees what is missing, and a client refuses it", () => {
    const code = pairingText({ ...PAIRING, host: null });
    expect(code).toContain(`svc+https://${UNKNOWN_HOST}:8501#`);
    expect(codeOf(() => parsePairing(code))).toBe("api/bad-pairing");
    expect(parsePairing(code.replace(UNKNOWN_HOST, "203.0.113.7"))).toEqual(PAIRING);
  });

  it("is not written where no client would read it", () => {
    for (const wrong of [
      { host: "Wallet.example" },
      { host: "a/b" },
      { host: null, port: 65_536 },
      { token: "short" },
      { network: "a network" },
      { fingerprint: "A1".repeat(32) },
      { wallet: "a_b-c_d-e_f-g_h-i" },
    ]) {
      const code = codeOf(() => pairingText({ ...PAIRING, ...wrong }));
      expect(code, JSON.stringify(wrong)).toBe("api/bad-pairing");
    }
  });
});

describe("a host", () => {
  it("has one text", () => {
    expect(
      ["203.0.113.7", "Wallet.Example", "[2001:DB8:0::7]", "2001:db8::7", "localhost"].map(
        pairingHost,
      ),
    ).toEqual(["203.0.113.7", "wallet.example", "2001:db8::7", "2001:db8::7", "localhost"]);
  });

  it("is none with anything around it", () => {
    for (const wrong of ["", "a:8501", "http://a", "a/b", "a b", "10.1.2", "::1%lo", "[::1]:80"]) {
      expect(pairingHost(wrong), wrong).toBeNull();
    }
  });
});
