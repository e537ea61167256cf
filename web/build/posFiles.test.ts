/** The built bytes of the point of sale's script and service worker. */
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { pageScriptOf, POS_SCRIPT, POS_WORKER } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { buildPosFiles } from "./posFiles.ts";

const KILOBYTE = 1_000;
const TARGET = ["chrome111", "firefox114", "safari16.4"];

let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  files = await buildPosFiles(TARGET);
});

it("the point of sale's scripts have at most 30 kB compressed", () => {
  const sizes = [...files.values()].map((text) => gzipSync(text).length);
  expect(sizes).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30 * KILOBYTE);
});

it("each of them is one file, and none of them knows an API key", () => {
  expect(pageScriptOf(files, POS_SCRIPT)).toMatch(/^\/checkout\/assets\/pos-[0-9a-f]{12}\.js$/);
  for (const text of files.values()) {
    expect(text).not.toMatch(/\bimport\s*[({"']|\bfrom\s*["']/);
    expect(text).not.toMatch(/svc_(test|live)|authorization|bearer/i);
  }
});

it("the service worker keeps the page that says that there is no connection, and nothing else", () => {
  const worker = files.get(POS_WORKER) ?? "";
  expect(worker.match(/\/pos\/[\w/]+/g)).toEqual(["/pos/offline"]);
  expect(worker).not.toMatch(/\.put\(|addAll/);
});
