import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { describe, expect, it } from "vitest";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { decryptXchacha, encryptXchacha } from "./xchachaPoly.ts";

const random = mulberry32(19);
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => random() & 0xff);

describe("XChaCha20-Poly1305", () => {
  it("gives the bytes of the draft's example", () => {
    const key = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index);
    const nonce = Uint8Array.from({ length: 24 }, (_, index) => 0x40 + index);
    const context = decodeHex("50515253c0c1c2c3c4c5c6c7");
    const text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";
    const sealed = encryptXchacha(key, nonce, context, new TextEncoder().encode(text));
    expect(encodeHex(sealed.subarray(0, 16))).toBe("bd6d179d3e83d43b9576579493c0e939");
    expect(encodeHex(sealed.subarray(-16))).toBe("c0875924c1c7987947deafd8780acf49");
    const opened = decryptXchacha(key, nonce, context, sealed);
    expect(new TextDecoder().decode(opened ?? undefined)).toBe(text);
  });

  it.each([0, 1, 63, 64, 65, 1_000, 1_048_577])("agrees with the library on %d bytes", (length) => {
    const [key, nonce, context] = [bytes(32), bytes(24), bytes(length % 40)];
    // One that begins at an odd place of a larger buffer.
    const plain = bytes(length + 1).subarray(1);
    const sealed = encryptXchacha(key, nonce, context, plain);
    const theirs = xchacha20poly1305(key, nonce, context).encrypt(plain);
    expect(Buffer.compare(sealed, theirs)).toBe(0);
    const opened = decryptXchacha(key, nonce.slice(), context, theirs);
    expect(opened === null ? null : Buffer.compare(opened, plain)).toBe(0);
  });

  it("takes buffers that lie in the middle of a larger one, and leaves the key as it is", () => {
    const [key, nonce, plain] = [bytes(32), bytes(24), bytes(50)];
    const around = Buffer.concat([bytes(3), key, nonce, plain]);
    const [middleKey, middleNonce] = [around.subarray(3, 35), around.subarray(35, 59)];
    const sealed = encryptXchacha(middleKey, middleNonce, key, around.subarray(59));
    expect(sealed).toEqual(encryptXchacha(key, nonce, key, plain));
    expect(decryptXchacha(middleKey, middleNonce, key, Buffer.from(sealed))).toEqual(plain);
    expect(new Uint8Array(middleKey)).toEqual(key);
  });

  it("opens nothing that was changed, cut, or sealed for something else", () => {
    const [key, nonce, context] = [bytes(32), bytes(24), bytes(5)];
    const sealed = encryptXchacha(key, nonce, context, bytes(40));
    for (let at = 0; at < sealed.length; at += 1) {
      expect(decryptXchacha(key, nonce, context, withFlippedBit(sealed, at))).toBeNull();
      expect(decryptXchacha(key, nonce, context, sealed.subarray(0, at))).toBeNull();
    }
    for (let at = 0; at < 24; at += 1) {
      expect(decryptXchacha(key, withFlippedBit(nonce, at), context, sealed)).toBeNull();
    }
    expect(decryptXchacha(key, nonce, bytes(5), sealed)).toBeNull();
    expect(decryptXchacha(bytes(32), nonce, context, sealed)).toBeNull();
  });
});
