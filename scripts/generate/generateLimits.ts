/**
 * Documentation generator for `LIMITS.md`, from the limits files (`limitOwners.ts`, and that of the core), so that document
 * and code agree.
 *
 * A limit is a doc comment that begins with the unit, and a value. `--check` writes nothing and exits 1 when the document
 * is out of date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { LIMIT_OWNERS, type LimitOwner } from "./limitOwners.ts";

/** One row of the document. */
export type LimitRow = {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly reason: string;
};

const root = new URL("../../", import.meta.url);
const documentUrl = new URL("LIMITS.md", root);

/** Rows of a limits file; values are given, since the file computes some. Throws when a limit has no comment. */
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

/** The rows of a file of TypeScript. */
export async function ownedRows({ path, values }: LimitOwner): Promise<LimitRow[]> {
  return typescriptRows(await readFile(new URL(path, root), "utf8"), values);
}

function section({ title, path, name, about }: LimitOwner, rows: readonly LimitRow[]): string {
  const lines = rows.map(
    (row) => `| \`${row.name}\` | ${row.value} | ${row.unit} | ${row.reason} |\n`,
  );
  return `## ${title}

From \`${path}\` (\`${name}\`). ${about}

| limit | value | unit | about |
|---|---:|---|---|
${lines.join("")}`;
}

/** The text of `LIMITS.md`. */
export async function renderLimits(core: readonly LimitRow[]): Promise<string> {
  const sections = LIMIT_OWNERS.map(async (owner) => section(owner, await ownedRows(owner)));
  const coreRows = core.map((row) => `| \`${row.name}\` | ${row.value} | ${row.reason} |\n`);
  return `# Limits

Everything that queues, caches, waits or grows has a named bound, in a file of the part that owns it. This
document is written from those files by \`npm run generate\`; a test keeps it fresh, and fails on a limit that nobody
reads. Numbers that belong to a network (block rate, depths, masses) are in its profile instead. The last column says
what happens beyond the bound.

${(await Promise.all(sections)).join("\n")}
## Core

From \`wasm-core/crates/codec/src/limits.rs\`. Input beyond one of these is refused before memory is
taken for it; caches forget what they used longest ago. What two nodes must agree on is no limit but a rule, and is in
the specification; a change of one of these is felt by whoever sends what is refused now.

| limit | value | about |
|---|---:|---|
${coreRows.join("")}`;
}

async function main(check: boolean): Promise<number> {
  const rust = await readFile(new URL("wasm-core/crates/codec/src/limits.rs", root), "utf8");
  const text = await renderLimits(rustRows(rust));
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
