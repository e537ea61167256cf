import { describe, expect, test } from "vitest";
import { isDeviceOffered, type DeviceProbe } from "./isDeviceOffered.ts";

const probe = (prf: boolean | undefined, verifies: boolean): DeviceProbe => ({
  getClientCapabilities: async () => ({ "extension:prf": prf }),
  isUserVerifyingPlatformAuthenticatorAvailable: async () => verifies,
});
const HOST = "wallet.example";

describe("the unlock with this device", () => {
  test("is offered where the device holds secrets for passkeys and knows its owner", async () => {
    const publicKeyCredential = probe(true, true);
    expect(await isDeviceOffered({ hostname: HOST, publicKeyCredential })).toBe(true);
    expect(await isDeviceOffered({ hostname: "localhost", publicKeyCredential })).toBe(true);
  });

  test.each([
    ["without passkeys", HOST, undefined],
    ["without the extension", HOST, probe(false, true)],
    ["that does not know the extension", HOST, probe(undefined, true)],
    ["that does not know its owner", HOST, probe(true, false)],
    ["that does not tell what it can", HOST, {}],
    ["under an IPv4 address", "127.0.0.1", probe(true, true)],
    ["under an IPv6 address", "[::1]", probe(true, true)],
    [
      "whose questions fail",
      HOST,
      { getClientCapabilities: () => Promise.reject(new Error("no")) },
    ],
  ])("is not offered in a browser %s", async (_, hostname, publicKeyCredential) => {
    expect(await isDeviceOffered({ hostname, publicKeyCredential })).toBe(false);
  });
});
