import { describe, expect, it } from "vitest";
import { headerRows } from "./pageHeaders.ts";

/** A header of a path, its content policy unless another one is named: a later row replaces that of an earlier one. */
function policyOf(path: string, name = "Content-Security-Policy"): string {
  const signer = { html: "", policy: "default-src 'none'" };
  let policy = "";
  for (const row of headerRows({ kind: "any" }, signer)) {
    const start = row.path.replace(/\*$/, "");
    const isMet = row.path.endsWith("*") ? path.startsWith(start) : path === start;
    if (isMet) policy = row.headers[name] ?? policy;
  }
  return policy;
}

describe("the headers of the built pages", () => {
  it("let the wallet and the signer use the camera, and no other page", () => {
    const camera = (path: string) => policyOf(path, "Permissions-Policy").split(",", 1)[0];
    expect(camera("/wallet/")).toBe("camera=(self)");
    expect(camera("/signer.html")).toBe("camera=(self)");
    for (const path of ["/", "/explorer/", "/checkout/page.js", "/walletless"]) {
      expect(camera(path), path).toBe("camera=()");
    }
  });

  it("let the wallet alone ask for a passkey of the device", () => {
    for (const what of ["publickey-credentials-create", "publickey-credentials-get"]) {
      const passkeys = (path: string) => policyOf(path, "Permissions-Policy").split(", ");
      expect(passkeys("/wallet/")).toContain(`${what}=(self)`);
      for (const path of ["/", "/explorer/", "/checkout/page.js", "/walletless", "/signer.html"]) {
        expect(passkeys(path), path).toContain(`${what}=()`);
      }
    }
  });

  it("leave the worker that reads pasted disclosures no network", () => {
    const policy = policyOf("/workers/check.worker-abc.js");
    expect(policy).toContain("connect-src 'none'");
    expect(policy).toBe(policyOf("/workers/scan.worker-abc.js"));
  });

  it("let the service worker reach its own server alone, and start nothing", () => {
    const policy = policyOf("/offlineWorker.js");
    expect(policy).toBe("default-src 'none'; script-src 'self'; connect-src 'self'");
  });
});
