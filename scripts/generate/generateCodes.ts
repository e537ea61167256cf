/**
 * Code generator of the error registry: writes its Rust and its TypeScript form from one source.
 *
 * `wasm-core/codes.json` → `wasm-core/crates/codec/src/code.rs` (Rust enum) and `shared/base/generated/codes.ts`
 * (TypeScript union with the data fields of each code). `--check` writes nothing and exits 1 when a generated file is out
 * of date.
 */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { writeGenerated } from "./writeGenerated.ts";

/** What several codes have in common for whoever meets one of them. A code may be of several classes, or of none. */
export const CODE_CLASSES: Readonly<Record<string, string>> = {
  own: "this node failed, or it passes by itself: no peer is to blame, and another one would meet it too",
  blameless: "the peer did nothing wrong, and there is nothing to be had from it",
  final: "it holds for ever and on every node: such bytes can never be applied",
  done: "the request was fulfilled before",
  fatal: "the instance of the core that threw it may no longer be used",
  engine: "the engine or its store failed, not what it judged: the step is abandoned",
  place:
    "a header was refused by its place in the graph, long after its work was paid for (decision 16)",
  silent:
    "a link ends with it without a word: the other side is gone, has spoken last or does not listen",
  blocks: "blocks cannot be taken, though questions are answered",
  unserved: "it asks for a pruning point that this node does not serve",
};

/** One entry of `codes.json`: the code, the names of its data fields, the rule it reports, and its classes. */
export type CodeEntry = {
  readonly code: string;
  readonly data: readonly string[];
  readonly doc: string;
  readonly classes: readonly string[];
};

const root = new URL("../../", import.meta.url);
const sourceUrl = new URL("wasm-core/codes.json", root);

const CODE_FORM = /^[a-z][a-z0-9]*(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/;
const FIELD_FORM = /^[a-z][A-Za-z0-9]*$/;

/** Reads and checks the list: well-formed, unique, sorted by code. Throws with the offending entry. */
export function parseCodes(text: string): CodeEntry[] {
  const parsed: unknown = JSON.parse(text);
  if (!isRecord(parsed) || !Array.isArray(parsed["codes"])) {
    throw new Error('codes.json must be {"codes": [...]}');
  }
  const entries = parsed["codes"].map(toEntry);
  const seen = new Set<string>();
  for (const entry of entries) {
    if (seen.has(entry.code)) throw new Error(`codes.json lists ${entry.code} twice`);
    seen.add(entry.code);
  }
  return entries.toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

function toEntry(value: unknown): CodeEntry {
  if (!isRecord(value)) throw new Error("codes.json: an entry is not an object");
  const { code, data, doc, classes = [] } = value;
  if (typeof code !== "string" || !CODE_FORM.test(code)) {
    throw new Error(`codes.json: ${JSON.stringify(code)} is not of the form area/what`);
  }
  if (typeof doc !== "string" || doc.trim() === "")
    throw new Error(`codes.json: ${code} has no doc`);
  if (!Array.isArray(data)) throw new Error(`codes.json: ${code} has no data list`);
  const fields = data.map((field: unknown) => {
    if (typeof field !== "string" || !FIELD_FORM.test(field)) {
      throw new Error(`codes.json: ${code} has a bad field name ${JSON.stringify(field)}`);
    }
    return field;
  });
  return {
    code,
    data: fields,
    doc: `${doc.trim().replace(/\.$/, "")}.`,
    classes: toClasses(code, classes),
  };
}

function toClasses(code: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw new Error(`codes.json: the classes of ${code} are no list`);
  return value.map((name: unknown) => {
    if (typeof name !== "string" || CODE_CLASSES[name] === undefined) {
      throw new Error(`codes.json: ${code} is of an unknown class ${JSON.stringify(name)}`);
    }
    return name;
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** `tx/anchor-too-old` → `TxAnchorTooOld`. */
export function rustName(code: string): string {
  return code
    .split(/[/-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function fieldsNote(entry: CodeEntry): string {
  return entry.data.length === 0 ? "" : ` Data: ${entry.data.map((f) => `\`${f}\``).join(", ")}.`;
}

/** The Rust file, laid out as rustfmt leaves it. */
export function renderRust(entries: readonly CodeEntry[]): string {
  const variants = entries.map(
    (e) => `    /// \`${e.code}\`: ${e.doc}${fieldsNote(e)}\n    ${rustName(e.code)},\n`,
  );
  const all = entries.map((e) => `        Code::${rustName(e.code)},\n`);
  const texts = entries.map((e) => rustArm(`Code::${rustName(e.code)}`, `"${e.code}"`));
  const classes = RUST_CLASSES.map((name) => rustClass(name, entries));
  return `//! Error codes, generated from \`wasm-core/codes.json\` by \`scripts/generate/generateCodes.ts\`.
//! Do not edit: change the list and run \`npm run generate\`.

/// Every error the project reports, written \`area/what\` outside Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
${variants.join("")}}

impl Code {
    /// All codes in the order of their text.
    pub const ALL: &'static [Code] = &[
${all.join("")}    ];

${classes.join("")}    /// The text form, \`area/what\`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
${texts.join("")}        }
    }

    /// The code with this text form.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Code> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }
}

impl core::fmt::Display for Code {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code_reads_back_from_its_text() {
        for code in Code::ALL {
            assert_eq!(Code::from_text(code.as_str()), Some(*code));
        }
        assert_eq!(Code::from_text("no/such-code"), None);
    }
}
`;
}

/** Classes that the core asks about. */
const RUST_CLASSES: readonly string[] = ["engine", "place"];

/** The codes of a class as a constant: enough of them that rustfmt gives each a line. */
function rustClass(name: string, entries: readonly CodeEntry[]): string {
  const codes = entries.filter(({ classes }) => classes.includes(name));
  const lines = codes.map(({ code }) => `        Code::${rustName(code)},\n`);
  const about = CODE_CLASSES[name] ?? "";
  return `    /// Of class \`${name}\`: ${about}.
    pub const ${name.toUpperCase()}: &'static [Code] = &[
${lines.join("")}    ];

`;
}

/** A match arm; rustfmt breaks lines of more than 100 columns into a block. */
function rustArm(pattern: string, value: string): string {
  const line = `            ${pattern} => ${value},`;
  if (line.length <= 100) return `${line}\n`;
  return `            ${pattern} => {\n                ${value}\n            }\n`;
}

/** The TypeScript file: the field names of each code, and the union derived from it. */
export function renderTypescript(entries: readonly CodeEntry[]): string {
  const rows = entries.map((e) => {
    const fields = e.data.map((f) => JSON.stringify(f)).join(", ");
    return `  /** ${e.doc} */\n  ${JSON.stringify(e.code)}: [${fields}],\n`;
  });
  const classes = Object.entries(CODE_CLASSES).map(
    ([name, about]) =>
      `  /** ${about.charAt(0).toUpperCase()}${about.slice(1)}. */\n  | ${JSON.stringify(name)}`,
  );
  const classed = entries
    .filter((e) => e.classes.length > 0)
    .map((e) => {
      const names = e.classes.map((name) => JSON.stringify(name)).join(", ");
      return `  ${JSON.stringify(e.code)}: [${names}],\n`;
    });
  return `/**
 * Error codes, generated from \`wasm-core/codes.json\` by \`scripts/generate/generateCodes.ts\`.
 * Do not edit: change the list and run \`npm run generate\`.
 */

/** The names of the data fields that each code carries. */
export const CODE_FIELDS = {
${rows.join("")}} as const;

/** Every error the project reports. */
export type Code = keyof typeof CODE_FIELDS;

/** What several codes have in common for whoever meets one of them. */
export type CodeClass =
${classes.join("\n")};

/** The classes of the codes that have any. */
export const CODES_WITH_CLASSES: { readonly [C in Code]?: readonly CodeClass[] } = {
${classed.join("")}};

/** The data field names of one code. */
export type CodeField<C extends Code> = (typeof CODE_FIELDS)[C][number];

/** The codes of one area: \`CodeOf<"tx">\`. */
export type CodeOf<Area extends string> = Extract<Code, \`\${Area}/\${string}\`>;
`;
}

async function main(check: boolean): Promise<number> {
  const entries = parseCodes(await readFile(sourceUrl, "utf8"));
  const texts = new Map([
    ["wasm-core/crates/codec/src/code.rs", renderRust(entries)],
    ["shared/base/generated/codes.ts", renderTypescript(entries)],
  ]);
  return writeGenerated(texts, check);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
