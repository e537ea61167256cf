import { describe, expect, it } from "vitest";
import { headerRows } from "./pageHeaders.ts";

/** The policy of a path: a later row replaces that of an earlier one. */
function policyOf(path: string): string {
  const signer = { html: "", policy: "default-src 'none'" };
  let policy = "";
  for (const row of headerRows({ kind: "any" }, signer)) {
    const start = row.path.replace(/\*$/, "");
    const isMet = row.path.endsWith("*") ? path.startsWith(start) : path === start;
    if (isMet) policy = row.headers["Content-Security-Policy"] ?? policy;
  }
  return policy;
}

describe("the headers of the built pages", () => {
  it("leave the worker that reads pasted disclosures no network", () => {
    const policy = policyOf("/workers/check.worker-abc.js");
    expect(policy).toContain("connect-src 'none'");
    expect(policy).toBe(policyOf("/workers/scan.worker-abc.js"));
  });
});
