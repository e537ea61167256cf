/** Set-up of page tests: gives the page the policy that its server sends. Whatever breaks it fails its test. */
import { afterEach, expect, inject } from "vitest";
import { policyBreaches } from "./policyBreaches.ts";

const POLICY = "Content-Security-Policy";

// One page has all files, and a policy in it cannot be taken back.
if (document.querySelector(`meta[http-equiv="${POLICY}"]`) === null) {
  const meta = document.createElement("meta");
  meta.httpEquiv = POLICY;
  meta.content = inject("pagePolicy");
  document.head.append(meta);
}

// One that is told of late fails the test after it.
afterEach(async () => expect(await policyBreaches()).toEqual([]));
