/** The built bytes of the checkout's script and helper. */
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { HELPER_FILE, pageScriptOf } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { BROWSER_TARGET } from "./browserTarget.ts";
import { buildCheckoutFiles } from "./checkoutFiles.ts";

const KILOBYTE = 1_000;

let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  files = await buildCheckoutFiles(BROWSER_TARGET);
});

const bytes = (text: string): number => gzipSync(text).length;

it("the checkout's scripts have at most 30 kB compressed, the helper at most 6", () => {
  const scripts = Array.from(files).filter(([name]) => name.endsWith(".js"));
  const sizes = scripts.map(([, text]) => bytes(text));
  expect(scripts).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30 * KILOBYTE);
  expect(bytes(files.get(HELPER_FILE) ?? "")).toBeLessThan(6 * KILOBYTE);
});

it("each of them is one file, and the helper offers what its types say", () => {
  expect(pageScriptOf(files)).toMatch(/^\/checkout\/assets\/checkout-[0-9a-f]{12}\.js$/);
  for (const [name, text] of files) {
    if (name.endsWith(".js")) expect(text).not.toMatch(/\bimport\s*[({"']|\bfrom\s*["']/);
  }
  const helper = files.get(HELPER_FILE) ?? "";
  expect(helper).toMatch(/export\s*\{[^}]*\bopenSvcCheckout\b[^}]*\}/);
  expect(helper).toMatch(/export\s*\{[^}]*\bSvcPayButton\b[^}]*\}/);
  expect(helper).not.toMatch(/svc_(test|live)|authorization/i);
});
