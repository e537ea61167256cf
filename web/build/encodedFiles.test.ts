/** The compressed forms beside the built files. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeEach, expect, it } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { encodeFolder } from "./encodedFiles.ts";
import { hashFolder } from "./fileHashes.ts";

const SCRIPT = "let a = 1;\n".repeat(500);

let pages: string;
let kept: string;

beforeEach(() => {
  const folder = folderOfTest();
  pages = join(folder, "pages");
  kept = join(folder, "kept");
  mkdirSync(join(pages, "assets"), { recursive: true });
  writeFileSync(join(pages, "assets", "a.js"), SCRIPT);
  writeFileSync(join(pages, "assets", "small.js"), "a()");
  writeFileSync(join(pages, "assets", "picture.png"), SCRIPT);
  writeFileSync(join(pages, "headers.json"), JSON.stringify([SCRIPT]));
});

const names = () => readdirSync(join(pages, "assets")).toSorted();
const form = (name: string) => readFileSync(join(pages, "assets", name));

it("are two for a file of some length, and decode to it", async () => {
  await encodeFolder(pages, kept);
  expect(names()).toEqual(["a.js", "a.js.br", "a.js.gz", "picture.png", "small.js"]);
  expect(brotliDecompressSync(form("a.js.br")).toString()).toBe(SCRIPT);
  expect(gunzipSync(form("a.js.gz")).toString()).toBe(SCRIPT);
});

it("are not in the list of hashes, which is of what they decode to", async () => {
  const before = hashFolder(pages);
  await encodeFolder(pages, kept);
  expect(hashFolder(pages)).toEqual(before);
});

it("are the same in a second build, kept ones and fresh ones", async () => {
  await encodeFolder(pages, kept);
  const first = [form("a.js.br"), form("a.js.gz")];
  await encodeFolder(pages, kept);
  expect([form("a.js.br"), form("a.js.gz")]).toEqual(first);
  await encodeFolder(pages, join(kept, "none"));
  expect([form("a.js.br"), form("a.js.gz")]).toEqual(first);
});

it.each(["", "cut", "another file's"])("are made anew where a kept one is %j", async (damage) => {
  await encodeFolder(pages, kept);
  const first = form("a.js.br");
  for (const name of readdirSync(kept)) {
    const whole = readFileSync(join(kept, name));
    const cut = damage === "cut" ? whole.subarray(0, whole.length - 2) : Buffer.from(damage);
    writeFileSync(join(kept, name), cut);
  }
  await encodeFolder(pages, kept);
  expect(form("a.js.br")).toEqual(first);
});

it("are kept up to a number, the newest", async () => {
  mkdirSync(kept);
  for (let form = 0; form < 300; form += 1) {
    writeFileSync(join(kept, `old-${form}`), "");
    utimesSync(join(kept, `old-${form}`), form, form);
  }
  await encodeFolder(pages, kept);
  const left = readdirSync(kept);
  expect(left).toHaveLength(256);
  expect(left).toContain("old-299");
  expect(left).not.toContain("old-0");
});
