import { expect, test } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { asWalletToken, walletLabel } from "./walletToken.ts";

test("letters, digits, - and _ make a token, up to 128", () => {
  for (const text of ["default", "A-z_09", "a", "f".repeat(128)]) {
    expect(asWalletToken(text)).toBe(text);
  }
});

test("what could leave the folder, or name a file of another kind, is no token", () => {
  const hostile = [
    "",
    ".",
    "..",
    "../x",
    "a/b",
    "a\\b",
    "a.b",
    "a b",
    "a\n",
    "\0",
    "a\0",
    "ä",
    "ａ",
    "%2e%2e",
    "~",
    "C:",
    "f".repeat(129),
    "a".repeat(1_000_000),
  ];
  for (const text of hostile) expect(codeOf(() => asWalletToken(text))).toBe("wallet/bad-token");
});

test("the refusal does not repeat the token, and a label does not hold it", () => {
  expect(() => asWalletToken("secret.token")).toThrow(/^wallet\/bad-token$/);
  const token = asWalletToken("0123456789abcdef0123456789abcdef");
  expect(walletLabel(token)).toMatch(/^wallet-[0-9a-f]{8}$/);
  expect(token).not.toContain(walletLabel(token).slice("wallet-".length));
});
