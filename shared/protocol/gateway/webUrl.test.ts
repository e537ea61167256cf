import { describe, expect, it } from "vitest";
import { MERCHANT_LIMITS } from "../merchantLimits.ts";
import { isWebUrl, redirectTarget } from "./webUrl.ts";

describe("an address of the web", () => {
  it.each([
    "https://shop.example.com",
    "http://127.0.0.1:3000/thanks?order={OrderId}&invoice={InvoiceId}#top",
    "HTTPS://shop.example.com/ä",
    "https://[::1]:8443/",
    "https://xn--mnchen-3ya.example/",
  ])("is taken: %s", (url) => {
    expect(isWebUrl(url)).toBe(true);
  });

  it.each([
    "",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "ftp://shop.example.com/",
    "//shop.example.com/",
    "/thanks",
    "https:shop.example.com",
    "https://",
    "https:///thanks",
    "https://user:secret@shop.example.com/",
    "https://shop.example.com\\@evil.example/",
    "https://{OrderId}.example.com/",
    "https://shop.example.com/a b",
    " https://shop.example.com/",
    "https://shop.example.com/\u0000",
    "https://shop.example.com/\u202e",
    "https://shop.example.com:99999/",
  ])("is refused: %j", (url) => {
    expect(isWebUrl(url)).toBe(false);
  });

  it("has a longest", () => {
    const start = "https://shop.example.com/";
    const longest = start + "a".repeat(MERCHANT_LIMITS.urlChars - start.length);
    expect(isWebUrl(longest)).toBe(true);
    expect(isWebUrl(`${longest}a`)).toBe(false);
  });
});

it("a redirect has its placeholders filled in, and nothing of them is read as part of the address", () => {
  const invoice = { id: "inv_5e", orderId: "a/b?c&d {InvoiceId} ü" };
  const url = "https://shop.example.com/{InvoiceId}?order={OrderId}&x={Other}";
  expect(redirectTarget(url, invoice)).toBe(
    "https://shop.example.com/inv_5e?order=a%2Fb%3Fc%26d%20%7BInvoiceId%7D%20%C3%BC&x={Other}",
  );
});
