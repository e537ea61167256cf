/** Signed messages that somebody pasted: judged by the core, bounded before it looks at them. */
import { describe, expect, it } from "vitest";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { judgeSignedMessage } from "@svc/shared/signer/messages/judgeSignedMessage.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { caseSigner, core, profileJson } from "./signerCases.ts";

const signer = caseSigner();
const message = "2026-11-28: I have this address\n";
const good = { address: signer.account.address, message, signature: signer.signMessage(message) };
const judge = (changed: Partial<SignedMessage>) =>
  judgeSignedMessage(core, profileJson, { ...good, ...changed });

describe("a pasted message", () => {
  it("fits, with blanks and line breaks around address and signature, and in capitals", () => {
    const { address, signature } = good;
    const broken = `\n${signature.slice(0, 100)} \n${signature.slice(100).toUpperCase()}\t`;
    expect(judge({ address: ` ${address}\n`, signature: broken })).toBeNull();
  });

  it("does not fit with another text, another address of the key or of another, or a changed signature", () => {
    const other = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(9)), 0);
    const { hrp } = JSON.parse(profileJson);
    expect(judge({ message: message.trim() })).toBe("BadSignature");
    expect(judge({ address: signer.addressAt(1) })).toBe("BadSignature");
    expect(judge({ address: core.encodeAddress(hrp, other) })).toBe("AddressMismatch");
    for (const byte of [0, 95, 96, 159]) {
      const changed = encodeHex(withFlippedBit(decodeHex(good.signature), byte));
      let refusal: string | null = "an error";
      try {
        refusal = judge({ signature: changed });
      } catch {
        // Malformed is as good as refused.
      }
      expect(refusal, String(byte)).not.toBeNull();
    }
  });

  it("is refused unread where a part of it is a flood", () => {
    const flood = "f".repeat(WALLET_LIMITS.signedMessageChars + 1);
    for (const part of ["address", "message", "signature"]) {
      expect(
        codeOf(() => judge({ [part]: flood })),
        part,
      ).toBe("codec/count-too-large");
    }
  });
});
