/**
 * Architecture rule: each place in the core that makes an error sends the right data fields. They must be those that
 * `wasm-core/codes.json` lists for the code, no fewer and no more, since the host's sentences and tables are written from
 * that list.
 */
import { isTest, type SourceFile, type Violation } from "./sourceTree.ts";

/** An error made at a place: the code as Rust spells it, and the names of the fields it sends. */
export type ErrorSite = {
  readonly path: string;
  readonly code: string;
  readonly fields: readonly string[];
};

const NEW = /SvcError::new\(\s*((?:\w+::)*)(\w+)\s*\)/g;
const FIELD = /^\s*\.with\(\s*"(\w+)"\s*,/;

/** The sites of a file; code that only tests run is left out. */
export function errorSites(file: SourceFile): ErrorSite[] {
  if (isTest(file.path)) return [];
  const [code = ""] = file.text.split("#[cfg(test)]");
  const text = code.replaceAll(/\/\/[^\n]*/g, "");
  const found: ErrorSite[] = [];
  for (const match of text.matchAll(NEW)) {
    const [whole, path = "", name = ""] = match;
    const at = match.index;
    const fields = [...chain(text, at + whole.length), ...laterFields(text, at)];
    if (path !== "") found.push({ path: file.path, code: name, fields });
    else found.push(...helped(file.path, text, at, fields));
  }
  return found;
}

/** Fields of `.with("a", …).with("b", …)` from a place on. */
function chain(text: string, from: number): string[] {
  const fields: string[] = [];
  let at = from;
  for (;;) {
    const match = FIELD.exec(text.slice(at, at + 200));
    if (match === null) return fields;
    fields.push(match[1] ?? "");
    at = closing(text, text.indexOf("(", at)) + 1;
  }
}

/** Place of the bracket that closes the one at `open`; brackets inside strings do not count. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      at = text.indexOf('"', at + 1);
      if (at < 0) return text.length;
    } else if (char === "(") {
      depth += 1;
    } else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

/** Where the function around a place ends: at the next line that begins a function, as far as errors go. */
function functionEnd(text: string, at: number): number {
  const next = /\n\s*(?:pub(?:\(\w+\))? )?(?:const )?fn /.exec(text.slice(at));
  return next === null ? text.length : at + next.index;
}

/** `let error = SvcError::new(…)` followed by `error.with(…)`: the fields added to the name later. */
function laterFields(text: string, at: number): string[] {
  const statement = text.slice(statementStart(text, at), at);
  const name = /^\s*let (?:mut )?(\w+) = (?:\|\w*\| )?$/.exec(statement)?.[1];
  if (name === undefined) return [];
  const end = functionEnd(text, at);
  const again = new RegExp(`let (?:mut )?${name} = `).exec(text.slice(at, end));
  const body = text.slice(at, again === null ? end : at + again.index);
  const used = new RegExp(`\\b${name}(?:\\(\\))?(?=\\s*\\.with\\()`).exec(body);
  return used === null ? [] : chain(text, at + used.index + used[0].length);
}

function statementStart(text: string, at: number): number {
  return Math.max(...[";", "{", "}"].map((char) => text.lastIndexOf(char, at - 1))) + 1;
}

/** A helper that is given its code: each call of it is a site, or each pair of a table in the same file. */
function helped(path: string, text: string, at: number, fields: readonly string[]): ErrorSite[] {
  const names = [...text.slice(0, at).matchAll(/fn (\w+)[(<]|let (\w+) = \|code/g)];
  const last = names.at(-1);
  const name = last?.[1] ?? last?.[2] ?? "";
  const call = new RegExp(`(?<!fn )\\b${name}\\(\\s*(?:\\w+::)*Code::(\\w+)`, "g");
  const calls = [...text.matchAll(call)];
  const pairs = calls.length > 0 ? calls : [...text.matchAll(/\(Code::(\w+), \w+, /g)];
  return pairs.map((match) => ({ path, code: match[1] ?? "", fields }));
}

/** A code that is compared with, or a pattern. */
const LOOKED_FOR = /matches!\([^)]*\)|[=!]= (?:\w+::)*Code::\w+|(?:\| )?Code::\w+(?=\s*(?:=>|\|))/g;

/** The codes that a Rust file makes errors of or hands to what does, as Rust spells them; tests are left out. */
export function madeInRust(file: SourceFile): string[] {
  if (isTest(file.path)) return [];
  const [code = ""] = file.text.split("#[cfg(test)]");
  const text = code.replaceAll(/\/\/[^\n]*/g, "").replaceAll(LOOKED_FOR, "");
  return [...text.matchAll(/\bCode::(\w+)/g)].map(([, name = ""]) => name);
}

/** The codes that a TypeScript file makes errors of, as Rust spells them; tests are left out. */
export function madeInTypescript(file: SourceFile): string[] {
  if (isTest(file.path)) return [];
  return [...file.text.matchAll(/\bSvcError\(\s*"([^"]+)"/g)].map(([, code = ""]) =>
    rustName(code),
  );
}

/** Inputs of the check for codes that nobody makes. */
export type UnmadeCodes = {
  /** Codes of the areas in which the core makes errors. */
  readonly codes: readonly string[];
  /** As Rust spells them. */
  readonly made: ReadonlySet<string>;
  /** Why a code may be there that nobody makes. */
  readonly reasons: ReadonlyMap<string, string>;
};

/** Codes that nobody makes and that have no reason, and reasons that nothing needs. */
export function unmadeCodes({ codes, made, reasons }: UnmadeCodes): string[] {
  const unmade = codes.filter((code) => !made.has(rustName(code)));
  const needless = [...reasons.keys()].filter((code) => !unmade.includes(code));
  return [
    ...unmade.filter((code) => !reasons.has(code)).map((code) => `${code} is made nowhere`),
    ...needless.map((code) => `${code} needs no reason`),
  ];
}

/** The spelling of a code in Rust: `area/what-else` is `AreaWhatElse`. */
export function rustName(code: string): string {
  return code
    .split(/[/-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** Sites that send other fields than their code lists. `partial` names codes that may leave fields out. */
export function errorSiteViolations(
  sites: readonly ErrorSite[],
  fieldsOf: ReadonlyMap<string, readonly string[]>,
  partial: ReadonlySet<string>,
): Violation[] {
  return sites.flatMap(({ path, code, fields }) => {
    const listed = fieldsOf.get(code);
    if (listed === undefined) return [{ path, message: `${code} is no code` }];
    const missing = partial.has(code) ? [] : listed.filter((field) => !fields.includes(field));
    const extra = fields.filter((field) => !listed.includes(field));
    if (missing.length === 0 && extra.length === 0) return [];
    return [{ path, message: `${code} sends [${fields.join()}], listed are [${listed.join()}]` }];
  });
}
