/** Who may use a wallet, where the server's place decides. */
import { describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { BearerCheck, tokenOf } from "./credentials.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";

describe("a token, where others can reach the daemon", () => {
  const rules = { allowDefaultToken: true, custodial: true, loopback: false };
  const code = (header: string | undefined) => codeOf(() => tokenOf("token", header, rules));

  it("is long: neither a short one nor the default one is taken", () => {
    expect([code(TOKEN.slice(1)), code(undefined), code("")]).toEqual([
      "api/short-token",
      "api/short-token",
      "api/short-token",
    ]);
    expect(tokenOf("token", TOKEN, rules)).toBe(TOKEN);
    expect(tokenOf("token-if-given", TOKEN.slice(1), rules)).toBeNull();
  });

  it("may be short on this machine alone", () => {
    const local = { ...rules, loopback: true };
    expect([tokenOf("token", "a", local), tokenOf("token", undefined, local)]).toEqual([
      "a",
      "default",
    ]);
  });
});

describe("a bearer token", () => {
  const bearer = new BearerCheck(TOKEN);
  const code = (header: string | undefined) => codeOf(() => bearer.require(header));

  it("is the whole one, and nothing else", () => {
    bearer.require(`Bearer ${TOKEN}`);
    bearer.require(`bearer  ${TOKEN}`);
    for (const header of [undefined, "", "Bearer", `Bearer ${TOKEN}0`, `Basic ${TOKEN}`, TOKEN]) {
      expect(code(header), header).toBe("api/bad-bearer");
    }
  });
});
