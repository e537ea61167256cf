/**
 * The same source gives the same bytes, wherever it lies (ADR 26): the pages are built twice, in two folders. The
 * reduced size takes the WebAssembly as it was built here; the full size compiles it in the second folder too.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isEncodedName } from "@svc/shared/protocol/http/acceptedEncoding.ts";
import { HASHES_FILE, hashesText, hashFolder, sha256 } from "@svc/web/build/fileHashes.ts";
import { placePages } from "../e2e/testkit/placePages.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What another clone would not have. */
const MADE = [
  "node_modules",
  "scripts/typedoc/node_modules",
  ".git",
  ".cache",
  ".data",
  "wasm-core/target",
  "web/dist",
];

/** Nodes of a build: another one, and the server of the pages. */
const TWO_NODES = "https://node.example self";

let folder: TemporaryFolder;
let clone: string;

beforeAll(() => {
  folder = temporaryFolder();
  // Another depth, and a blank: neither may show.
  clone = join(folder.path, "another place", "source");
  const left = IS_FULL ? [...MADE, "wasm-core/pkg"] : MADE;
  cpSync(ROOT, clone, {
    recursive: true,
    filter: (path) => !left.includes(relative(ROOT, path)),
  });
  // Packages as links to the same files: a copy of some hundred megabytes would be the same again.
  run("cp", ["-al", join(ROOT, "node_modules"), join(clone, "node_modules")], folder.path);
  if (IS_FULL) {
    for (const place of [ROOT, clone]) run(process.execPath, ["scripts/buildWasm.ts"], place);
  }
});

afterAll(() => folder?.remove());

function run(program: string, args: readonly string[], cwd: string, nodes = "self"): void {
  const env = { ...process.env, SVC_NODE_ORIGINS: nodes };
  const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} in ${cwd}: ${stderr}`);
}

/** Builds the pages of a source folder, once for each name. Gives the list of hashes that the build wrote. */
function build(place: string, name: string, nodes = "self"): string {
  const out = join(folder.path, name);
  if (!existsSync(out)) {
    const vite = ["node_modules/vite/bin/vite.js", "build", "--outDir", out];
    run(process.execPath, vite, place, nodes);
  }
  const text = readFileSync(join(out, HASHES_FILE), "utf8");
  expect(text).toBe(hashesText(hashFolder(out)));
  return text;
}

test("a second build in another folder gives the same files", () => {
  const first: Record<string, string> = JSON.parse(build(ROOT, "first"));
  const second: Record<string, string> = JSON.parse(build(clone, "second"));
  expect(Object.keys(first).length).toBeGreaterThan(10);
  expect(second).toEqual(first);
  console.log(`hashes: ${Object.keys(first).length} files the same in two folders`);
});

test("the compressed forms are the same too, those that were kept and fresh ones", () => {
  const forms = (name: string) =>
    readdirSync(join(folder.path, name), { recursive: true, encoding: "utf8" })
      .filter(isEncodedName)
      .toSorted()
      .map((file) => `${file} ${sha256(readFileSync(join(folder.path, name, file)))}`);
  expect(forms("first").length).toBeGreaterThan(20);
  expect(forms("second")).toEqual(forms("first"));
});

test("no built file names the folder it was built in", () => {
  const out = join(folder.path, "second");
  for (const path of Object.keys(hashFolder(out))) {
    const bytes = readFileSync(join(out, path));
    // In an address of a file the blank is written otherwise, this name is not.
    expect(bytes.includes(basename(folder.path)), path).toBe(false);
    expect(bytes.includes(ROOT), path).toBe(false);
  }
});

test("a build for other nodes has other hashes: the list is part of what is compared", () => {
  const own: Record<string, string> = JSON.parse(build(ROOT, "first"));
  const listed: Record<string, string> = JSON.parse(build(ROOT, "two", TWO_NODES));
  const rows = readFileSync(join(folder.path, "two", "headers.json"), "utf8");
  expect(rows).toContain("connect-src 'self' https://node.example wss://node.example;");
  const any: Record<string, string> = JSON.parse(build(ROOT, "any", "any"));
  const policies = [own, listed, any].map((hashes) => hashes["/headers.json"]);
  expect(new Set(policies).size).toBe(3);
  expect(readFileSync(join(folder.path, "first", "headers.json"), "utf8")).toContain(
    "connect-src 'self';",
  );
});

test.each([TWO_NODES, "any"])(
  "the built pages with the nodes %s put into them are those of a build for these",
  async (nodes) => {
    const name = nodes === "any" ? "any" : "two";
    build(ROOT, name, nodes);
    const placed = temporaryFolder();
    onTestFinished(() => placed.remove());
    await placePages(placed.path, nodes);
    const filesOf = (place: string) =>
      Object.fromEntries(
        readdirSync(place, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
          .map((entry) => join(entry.parentPath, entry.name))
          .map((file) => [relative(place, file), sha256(readFileSync(file))]),
      );
    expect(filesOf(placed.path)).toEqual(filesOf(join(folder.path, name)));
  },
);
