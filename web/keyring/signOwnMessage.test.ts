import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { addressRefusal } from "@svc/shared/signer/addressControl.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { describe, expect, test } from "vitest";
import { signOwnMessage } from "./signOwnMessage.ts";

const core = await loadCoreFile();
const profileJson = core.canonicalProfile(core.builtInProfile("devnet"));
const vault = {
  seed: new Secret(Uint8Array.from({ length: 32 }, (_, index) => index + 1)),
  network: core.profileDigest(profileJson),
};
const request = { profileJson, index: 3, message: "Grüße\n" };
const MAX = WALLET_LIMITS.signedMessageChars;

describe("a message of the keyring", () => {
  test("shows control of the own address with that index", () => {
    const signed = signOwnMessage(core, vault, request);
    expect(signed.message).toBe(request.message);
    expect(addressRefusal(core, profileJson, signed)).toBeNull();
    const other = signOwnMessage(core, vault, { ...request, index: 4 });
    expect(other.address).not.toBe(signed.address);
  });

  test("is made for the network of the vault alone, whatever profile the page names", () => {
    const foreign = { ...request, profileJson: core.builtInProfile("mainnet") };
    expect(codeOf(() => signOwnMessage(core, vault, foreign))).toBe("store/profile-mismatch");
  });

  test("is not longer than what is checked", () => {
    const signing = (length: number) => () =>
      signOwnMessage(core, vault, { ...request, message: "x".repeat(length) });
    expect(signing(MAX)).not.toThrow();
    expect(codeOf(signing(MAX + 1))).toBe("codec/count-too-large");
  });
});
