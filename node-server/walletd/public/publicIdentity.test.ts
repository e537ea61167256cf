/** The identity of a daemon that others can reach: made once, kept, and told when it is damaged. */
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { PublicIdentity, type IdentityParts } from "./publicIdentity.ts";
import { selfSignedCertificate } from "./selfSignedCertificate.ts";

const NOW_MS = 1_790_000_000_000n;
const DAY_MS = 86_400_000n;

const open = (folder: string, over: Partial<IdentityParts> = {}): Promise<PublicIdentity> =>
  PublicIdentity.open({
    folder,
    host: "203.0.113.7",
    renewCertificate: false,
    apiToken: null,
    nowMs: NOW_MS,
    ...over,
  });

/** The code of the refusal; null for none. */
const refused = (folder: string, over: Partial<IdentityParts> = {}): Promise<string | null> =>
  open(folder, over).then(
    () => null,
    (error: unknown) => SvcError.from(error).code,
  );

describe("a certificate", () => {
  it.each([
    ["203.0.113.7", "DNS:localhost, IP Address:203.0.113.7"],
    ["2001:db8::7", "DNS:localhost, IP Address:2001:DB8:0:0:0:0:0:7"],
    ["wallet.example", "DNS:localhost, DNS:wallet.example"],
    ["localhost", "DNS:localhost"],
    [null, "DNS:localhost"],
  ])("names localhost and %s, and nothing that it may sign", (host, names) => {
    const { certificate } = selfSignedCertificate(host, NOW_MS);
    const read = new X509Certificate(certificate);
    expect(read.subjectAltName).toBe(names);
    expect([read.ca, read.keyUsage]).toEqual([false, ["1.3.6.1.5.5.7.3.1"]]);
    expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect([read.subject, read.issuer]).toEqual(["CN=svc wallet API", "CN=svc wallet API"]);
    expect(read.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  it("is valid for ten years from a day ago, also across 2050", () => {
    for (const nowMs of [NOW_MS, BigInt(Date.UTC(2045, 6, 1)), BigInt(Date.UTC(2060, 1, 2))]) {
      const read = new X509Certificate(selfSignedCertificate(null, nowMs).certificate);
      const from = nowMs - DAY_MS;
      const seconds = (ms: bigint | number) => BigInt(ms) / 1_000n;
      expect([seconds(read.validFromDate.getTime()), seconds(read.validToDate.getTime())]).toEqual([
        seconds(from),
        seconds(from + 3_652n * DAY_MS),
      ]);
    }
  });
});

describe("an identity", () => {
  it("stays over restarts, and where the host has changed", async () => {
    const path = join(folderOfTest(), "api");
    const first = await open(path);
    expect(first.bearer).toMatch(/^[0-9a-f]{64}$/);
    expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const der = new X509Certificate(first.tls.cert);
    expect(der.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(first.fingerprint);
    const again = await open(path, { host: "wallet.example", nowMs: NOW_MS + 1n });
    expect([again.tls, again.bearer, again.fingerprint]).toEqual([
      first.tls,
      first.bearer,
      first.fingerprint,
    ]);
    expect([again.names("203.0.113.7"), again.names("localhost")]).toEqual([true, true]);
    expect(again.names("wallet.example")).toBe(false);
    expect(again.endsMs).toBeGreaterThan(NOW_MS);
  });

  it("has a new certificate when it is asked for, and the same bearer", async () => {
    const path = join(folderOfTest(), "api");
    const first = await open(path);
    const renewed = await open(path, { host: "wallet.example", renewCertificate: true });
    expect(renewed.names("wallet.example")).toBe(true);
    expect(renewed.fingerprint).not.toBe(first.fingerprint);
    expect(renewed.bearer).toBe(first.bearer);
    expect((await open(path)).fingerprint).toBe(renewed.fingerprint);
  });

  it("is for its owner alone, and printed by nobody", async () => {
    const path = join(folderOfTest(), "api");
    const identity = await open(path);
    for (const shown of [JSON.stringify(identity), inspect(identity, { depth: 9 })]) {
      expect(shown).not.toContain(identity.bearer);
      expect(shown).not.toContain("PRIVATE KEY");
    }
    const modes = [path, join(path, "public.json")].map((name) => statSync(name).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  });

  it("may have the operator's own bearer, which is not stored", async () => {
    const path = join(folderOfTest(), "api");
    const { bearer } = await open(path);
    const own = "Z9".repeat(16);
    expect((await open(path, { apiToken: own })).bearer).toBe(own);
    expect((await open(path)).bearer).toBe(bearer);
    for (const wrong of ["", "a".repeat(15), "a".repeat(129), `${own}-`, `${own} `]) {
      expect(await refused(path, { apiToken: wrong }), wrong).toBe("node/bad-option");
    }
  });

  it("is refused where any byte of its file is another one, or is missing", async () => {
    const path = join(folderOfTest(), "api");
    const file = join(path, "public.json");
    const { bearer } = await open(path);
    const whole = readFileSync(file, "utf8").trimEnd();
    expect(whole).toContain(bearer);
    for (let at = 0; at < whole.length; at += 7) {
      const other = whole[at] === "1" ? "2" : "1";
      writeFileSync(file, whole.slice(0, at) + other + whole.slice(at + 1));
      expect(await refused(path), `byte ${at}`).toMatch(/^wallet\/file-(damaged|version)$/);
      writeFileSync(file, whole.slice(0, at));
      expect(await refused(path), `cut at ${at}`).toBe("wallet/file-damaged");
    }
    writeFileSync(file, whole.replace('"version":1', '"version":2'));
    expect(await refused(path)).toBe("wallet/file-version");
    expect(await refused(path, { renewCertificate: true })).toBe("wallet/file-version");
  });
});
