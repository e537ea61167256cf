/** Signed messages: who has the key of an address, at any index, and why a signature does not show it. */
import { describe, expect, it } from "vitest";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { addressRefusal, signAddressMessage } from "@svc/shared/signer/addressControl.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { caseSigner, core, profileJson } from "./signerCases.ts";

const signer = caseSigner();
const { address, fvk } = signer.account;
const message = "Grüße ✓";
const signature = signer.signMessage(message);

const refusalOf = (changed: Partial<{ address: string; message: string; signature: string }>) =>
  addressRefusal(core, profileJson, { address, message, signature, ...changed });
const damaged = (at: number) => encodeHex(withFlippedBit(decodeHex(signature), at));

describe("a signed message", () => {
  it("shows control of its address, and the viewing key", () => {
    expect(signature).toHaveLength(320);
    expect(signature.startsWith(fvk)).toBe(true);
    expect(refusalOf({})).toBeNull();
    expect(refusalOf({ message: "", signature: signer.signMessage("") })).toBeNull();
  });

  it("shows control of a diversified address", () => {
    for (const index of [1, 255, 0xffff_ffff]) {
      const own = {
        address: signer.addressAt(index),
        signature: signer.signMessage(message, index),
      };
      expect(refusalOf(own)).toBeNull();
      expect(refusalOf({ ...own, address })).toBe("BadSignature");
    }
  });

  it("is refused with the word that all daemons use", () => {
    const other = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(9)), 0);
    const { hrp } = JSON.parse(profileJson);
    expect(refusalOf({ address: core.encodeAddress(hrp, other) })).toBe("AddressMismatch");
    expect(refusalOf({ message: "Grüße" })).toBe("BadSignature");
    expect(refusalOf({ signature: damaged(159) })).toBe("BadSignature");
    const noKey = `${"ff".repeat(96)}${signature.slice(192)}`;
    expect(refusalOf({ signature: noKey })).toBe("BadFvk");
  });

  it("is an error where it is malformed", () => {
    expect(codeOf(() => refusalOf({ signature: signature.slice(2) }))).toBe("codec/wrong-length");
    expect(codeOf(() => refusalOf({ signature: "xy" }))).toMatch(/^codec\//);
    expect(codeOf(() => refusalOf({ address: address.slice(1) }))).toMatch(/^address\//);
  });

  it("is made for own addresses alone", () => {
    const seed = new Secret(new Uint8Array(32).fill(9));
    const raw = decodeHex(signer.account.recipient);
    const sign = () => signAddressMessage({ core, profileJson, seed }, raw, message);
    expect(codeOf(sign)).toBe("keys/address-mismatch");
  });
});
