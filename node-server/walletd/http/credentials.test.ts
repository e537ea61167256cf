/** Who may use a wallet, where the server's place decides. */
import { asWalletToken } from "../keys/walletToken.ts";
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { accessOf, BearerCheck, checkScope } from "./credentials.ts";
import { ownerAccess, type Access } from "../spend/tokens/tokenBook.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";

describe("a token, where others can reach the daemon", () => {
  const rules = { allowDefaultToken: true, custodial: true, loopback: false, tokens: null };
  const code = (header: string | undefined) => codeOf(() => accessOf("token", header, rules));

  it("is long: neither a short one nor the default one is taken", () => {
    expect([code(TOKEN.slice(1)), code(undefined), code("")]).toEqual([
      "api/short-token",
      "api/short-token",
      "api/short-token",
    ]);
    expect(accessOf("token", TOKEN, rules)?.token).toBe(TOKEN);
    expect(accessOf("token-if-given", TOKEN.slice(1), rules)).toBeNull();
  });

  it("may be short on this machine alone", () => {
    const local = { ...rules, loopback: true };
    const tokens = ["a", undefined].map((header) => accessOf("token", header, local)?.token);
    expect(tokens).toEqual(["a", "default"]);
  });
});

describe("a scoped token", () => {
  const scoped = (digit: string) => `svct.${digit.repeat(64)}`;
  const limits = { daySompi: null, payees: null, approvalAboveSompi: null };
  const access: Access = {
    token: asWalletToken("alice"),
    scope: new Set(["view"]),
    scoped: { id: "1", hash: "2", limits },
  };
  const tokens = { resolve: (text: string) => (text === scoped("a") ? access : null) };
  const rules = { allowDefaultToken: true, custodial: true, loopback: false, tokens };
  const code = (header: string) => codeOf(() => accessOf("token", header, rules));

  it("stands in the same header, and is known or refused", () => {
    expect(accessOf("token", ` ${scoped("a")} `, rules)).toBe(access);
    expect(code(scoped("b"))).toBe("api/unknown-token");
    expect(code(scoped("A"))).toBe("api/bad-token");
    expect(code(`${scoped("a")}0`)).toBe("api/bad-token");
    expect(accessOf("token-if-given", scoped("b"), rules)).toBeNull();
    expect(codeOf(() => accessOf("token", scoped("a"), { ...rules, tokens: null }))).toBe(
      "api/bad-token",
    );
  });

  it("opens the rows of its scope, the owner's all of them", () => {
    const owner = ownerAccess(asWalletToken("alice"));
    for (const needed of ["any", "view", "prepare", "spend", "owner"] as const) {
      expect(codeOf(() => checkScope(owner, needed))).toBe("none");
      expect(codeOf(() => checkScope(null, needed))).toBe("none");
      const isOpen = needed === "any" || needed === "view";
      expect(
        codeOf(() => checkScope(access, needed)),
        needed,
      ).toBe(isOpen ? "none" : "wallet/scope");
    }
  });

  it("does not hide that the store failed, where a token may be left out", () => {
    const failing = () => {
      throw new SvcError("store/read-failed", { reason: "x" });
    };
    const broken = { ...rules, tokens: { resolve: failing } };
    expect(codeOf(() => accessOf("token-if-given", scoped("a"), broken))).toBe("store/read-failed");
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
