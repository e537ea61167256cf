/**
 * Writes `LIMITS.md` from the two limits files, so that the document cannot lie.
 *
 * A limit is a doc comment that begins with the unit, and a value. `--check` writes nothing and
 * exits 1 when the document is out of date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { LIMITS } from "@svc/shared/base/limits.ts";

/** One row of the document. */
export type LimitRow = {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly reason: string;
};

const root = new URL("../", import.meta.url);
const documentUrl = new URL("LIMITS.md", root);

/** Rows of `shared/base/limits.ts`; values are given, since the file computes some. Throws when a limit has no comment. */
export function typescriptRows(
  source: string,
  values: Readonly<Record<string, number | bigint>>,
): LimitRow[] {
  const comments = new Map<string, string>();
  for (const [, comment = "", name = ""] of source.matchAll(
    /\/\*\* ((?:(?!\*\/)[\s\S])*?) ?\*\/\n {2}(\w+):/g,
  )) {
    comments.set(name, comment.replaceAll(/\s*\n\s*\*\s*/g, " "));
  }
  return Object.entries(values).map(([name, value]) => {
    const comment = comments.get(name);
    if (comment === undefined) throw new Error(`limit ${name} has no comment of its own`);
    const [unit = "", ...rest] = comment.split(". ");
    return { name, value: grouped(value), unit, reason: rest.join(". ").trim() };
  });
}

/** Rows of the core's limits file: every public constant with its doc comment. */
export function rustRows(source: string): LimitRow[] {
  const rows: LimitRow[] = [];
  for (const [, comment = "", name = "", value = ""] of source.matchAll(
    /((?:\/\/\/ .*\n)+)pub const (\w+): \w+ = ([^;]+);/g,
  )) {
    const reason = comment
      .replaceAll(/\/\/\/ /g, "")
      .replaceAll("\n", " ")
      .trim();
    rows.push({ name, value: value.replaceAll("_", " "), unit: "", reason });
  }
  return rows;
}

function grouped(value: number | bigint): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}

/** The whole document. */
export function renderLimits(core: readonly LimitRow[], typescript: readonly LimitRow[]): string {
  const coreRows = core.map((row) => `| \`${row.name}\` | ${row.value} | ${row.reason} |\n`);
  const rows = typescript.map(
    (row) => `| \`${row.name}\` | ${row.value} | ${row.unit} | ${row.reason} |\n`,
  );
  return `# Limits

Everything that queues, caches, waits or grows has a named bound. The bounds live in two files,
and this document is written from them by \`npm run generate\`; a test keeps it fresh. Numbers that
belong to a network (block rate, depths, masses) are in its profile instead.

## Node, wallet and shared code

From \`shared/base/limits.ts\`. The last column says what happens beyond the bound.

| limit | value | unit | about |
|---|---:|---|---|
${rows.join("")}
## Core

From \`wasm-core/crates/codec/src/limits.rs\`. Input beyond one of these is refused before memory is
taken for it; caches forget what they used longest ago.

| limit | value | about |
|---|---:|---|
${coreRows.join("")}`;
}

async function main(check: boolean): Promise<number> {
  const typescript = await readFile(new URL("shared/base/limits.ts", root), "utf8");
  const rust = await readFile(new URL("wasm-core/crates/codec/src/limits.rs", root), "utf8");
  const text = renderLimits(rustRows(rust), typescriptRows(typescript, LIMITS));
  const old = await readFile(documentUrl, "utf8").catch(() => "");
  if (old === text) return 0;
  if (check) {
    console.error("LIMITS.md is out of date: run npm run generate");
    return 1;
  }
  await writeFile(documentUrl, text);
  console.error("wrote LIMITS.md");
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
