import { expect, it } from "vitest";
import type { LookupAddress } from "node:dns";
import type { WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { guardedLookup } from "./guardedLookup.ts";

/** What the guarded lookup says of a name with these addresses. */
function found(reach: WebhookReach, addresses: readonly string[], all = false): Promise<string> {
  const list: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(":") ? 6 : 4,
  }));
  const resolve = (_: string, __: unknown, done: (error: null, list: LookupAddress[]) => void) =>
    done(null, list);
  return new Promise((settle) => {
    guardedLookup(reach, resolve as never)("a.test", { all }, (error, address) => {
      settle(error?.message ?? (typeof address === "string" ? address : String(address.length)));
    });
  });
}

it("judges a host by every address that its name has when the connection is made", async () => {
  expect(await found("public", ["93.184.216.34"])).toBe("93.184.216.34");
  expect(await found("public", ["93.184.216.34", "2606:2800::1"], true)).toBe("2");
  expect(await found("public", ["93.184.216.34", "127.0.0.1"])).toContain("loopback");
  expect(await found("public", ["10.0.0.1"], true)).toContain("private");
  expect(await found("private", ["10.0.0.1", "127.0.0.1"], true)).toBe("2");
  expect(await found("private", ["169.254.169.254"])).toContain("linkLocal");
  expect(await found("private", [])).toContain("no address");
});
