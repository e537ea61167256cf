/** A daemon that serves the public, up to the code that its operator is shown. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { parsePairing } from "@svc/shared/protocol/wallet/pairing.ts";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { PublicAccess, type PublicSettings } from "./publicAccess.ts";

const open = (over: Partial<PublicSettings> = {}): Promise<PublicAccess> =>
  PublicAccess.open({
    folder: join(folderOfTest(), "api"),
    listen: "0.0.0.0",
    host: "Wallet.Example",
    hostOption: "--public-host",
    insecure: false,
    apiToken: null,
    renewCertificate: false,
    network: "simnet",
    nowMs: 1_790_000_000_000n,
    ...over,
  });

const SHOWN = { port: 8_501, draws: false, wallet: null };

describe("a public daemon", () => {
  it("shows a code with which a phone finds it", async () => {
    const access = await open();
    const code = access.lines({ ...SHOWN, wallet: "9f".repeat(16) }).at(-1) ?? "";
    expect(parsePairing(code)).toEqual({
      host: "wallet.example",
      port: 8_501,
      token: access.bearer,
      network: "simnet",
      fingerprint: access.fingerprint,
      wallet: "9f".repeat(16),
    });
    expect(access.tls).not.toBeNull();
    expect(access.lines(SHOWN).join(" ")).not.toContain("--renew-certificate");
  });

  it("answers to its public host", async () => {
    const names = async (over: Partial<PublicSettings>) =>
      (await open(over)).rulesOf({ ...OWN_PAGES, hostNames: ["proxy.example"] }).hostNames;
    expect(await names({})).toEqual(["proxy.example", "wallet.example"]);
    expect(await names({ host: "2001:DB8::7" })).toEqual(["proxy.example", "[2001:db8::7]"]);
    expect(await names({ host: null })).toEqual(["proxy.example"]);
    expect(await names({ host: null, listen: "10.0.0.7" })).toEqual(["proxy.example", "10.0.0.7"]);
  });

  it("has neither certificate nor fingerprint without TLS, and a bearer all the same", async () => {
    const access = await open({ insecure: true, host: "10.8.0.1" });
    expect([access.tls, access.fingerprint]).toEqual([null, null]);
    expect(parsePairing(access.lines(SHOWN).at(-1) ?? "")).toMatchObject({
      host: "10.8.0.1",
      token: access.bearer,
      fingerprint: null,
    });
  });

  it("says so where its certificate names another host", async () => {
    const folder = join(folderOfTest(), "api");
    await open({ folder });
    const moved = await open({ folder, host: "other.example" });
    expect(moved.lines(SHOWN).join(" ")).toContain("--renew-certificate");
    const renewed = await open({ folder, host: "other.example", renewCertificate: true });
    expect(renewed.lines(SHOWN).join(" ")).not.toContain("--renew-certificate");
  });

  it("takes no host with a port, a scheme or a path", async () => {
    for (const host of ["", "a:8501", "https://a", "a/b", "a b", "10.1.2"]) {
      const code = await open({ host }).catch((error: unknown) => SvcError.from(error).code);
      expect(code, host).toBe("node/bad-option");
    }
  });
});
