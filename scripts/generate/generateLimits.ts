/**
 * Documentation generator for `LIMITS.md`, from the limits files (`limitOwners.ts`, and that of the core), so that document
 * and code agree.
 *
 * A limit is a doc comment that begins with the unit, and a value. `--check` writes nothing and exits 1 when the document
 * is out of date.
 */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { LIMIT_OWNERS, type LimitOwner } from "./limitOwners.ts";
import { writeGenerated } from "./writeGenerated.ts";

/** One row of the document. */
export type LimitRow = {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly reason: string;
};

const root = new URL("../../", import.meta.url);

const PARAGRAPH_COLUMNS = 120;

const INTRODUCTION = `
Every queue, cache, buffer and timeout has a named limit, in a file of the part that owns it.
\`npm run generate\` writes this document from those files. A test fails when the document is out of date, and
when no code reads a limit. The numbers of a network (block rate, depths, masses) are in its profile instead. The last
column says what happens beyond the limit.`;

const CORE_ABOUT = `
From \`wasm-core/crates/codec/src/limits.rs\`. The core refuses input beyond one of these limits before it allocates
memory for it. Caches evict the least recently used entries. The values that two nodes must agree on are consensus
rules, not limits, and are in the specification. A change of one of these limits affects the senders of the input that
it refuses.`;

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

/** Breaks a paragraph of words into lines of at most 120 columns; a longer word has a line to itself. */
export function wrapped(paragraph: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > PARAGRAPH_COLUMNS) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join("\n");
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

${wrapped(`From \`${path}\` (\`${name}\`). ${about}`)}

| limit | value | unit | about |
|---|---:|---|---|
${lines.join("")}`;
}

/** The text of `LIMITS.md`. */
export async function renderLimits(core: readonly LimitRow[]): Promise<string> {
  const sections = LIMIT_OWNERS.map(async (owner) => section(owner, await ownedRows(owner)));
  const coreRows = core.map((row) => `| \`${row.name}\` | ${row.value} | ${row.reason} |\n`);
  return `# Limits

${wrapped(INTRODUCTION.trim())}

${(await Promise.all(sections)).join("\n")}
## Core

${wrapped(CORE_ABOUT.trim())}

| limit | value | about |
|---|---:|---|
${coreRows.join("")}`;
}

async function main(check: boolean): Promise<number> {
  const rust = await readFile(new URL("wasm-core/crates/codec/src/limits.rs", root), "utf8");
  const text = await renderLimits(rustRows(rust));
  return writeGenerated(new Map([["LIMITS.md", text]]), check);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
