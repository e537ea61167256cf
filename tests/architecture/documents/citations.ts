/**
 * Architecture rule: citations lead to a section that exists. “specification consensus 8.2” is section 8.2 of the part
 * `docs/spec/consensus.md`, or of a file in `docs/spec/consensus`; “formats 2”, or `docs/formats.md 2`, is section 2 of that
 * document.
 */
import type { SourceFile, Violation } from "../sourceTree.ts";

/** The numbers of the sections of each part of the specification, by its name, and of the formats, by their path. */
export type Sections = ReadonlyMap<string, ReadonlySet<string>>;

const FORMATS = "docs/formats.md";
const PLACE = /^docs\/spec\/([a-z]+)(?:\.md|\/.+\.md)$/;
const HEADING = /^#{2,6} (\d+(?:\.\d+)*) /gm;

/** Number of a section, with the letter of a passage in it. */
const NUMBER = String.raw`\d+(?:\.\d+)*(?: [A-Z]\b)?`;
/** Sections that are cited together. */
const LIST = String.raw`${NUMBER}(?:(?:, | and | or | to )${NUMBER})*`;
/** One part, and sections of it. */
const CITED = String.raw`(\w+) (${LIST})`;
const CITATION = new RegExp(
  String.raw`\b[Ss]pecification (?:sections )?(${CITED}(?:(?:, | and |; )${CITED})*)`,
  "g",
);
const EACH = new RegExp(CITED, "g");
const FORMAT_CITATION = new RegExp(String.raw`\bformats(?:\.md)? (${LIST})`, "g");
/** Passages of a section that have numbers of their own, and other books: no sections of the specification. */
const PASSAGES = new Set([
  "message",
  "messages",
  "stage",
  "stages",
  "step",
  "steps",
  "ADR",
  "formats",
]);
/** What begins a line of a comment, or folds one: a citation may be broken there. */
const LINE_BREAK = /\n\s*(?:\*|\/\/[/!]?|#)?[ \t]*/g;

/** What the specification and the document of the formats define. */
export function sectionsOf(files: readonly SourceFile[]): Sections {
  const sections = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const book = path === FORMATS ? FORMATS : PLACE.exec(path)?.[1];
    if (book === undefined) continue;
    const known = sections.get(book) ?? new Set();
    for (const [, number = ""] of text.matchAll(HEADING)) known.add(number);
    sections.set(book, known);
  }
  return sections;
}

/** Citations of parts and sections that do not exist. */
export function citationViolations({ path, text }: SourceFile, sections: Sections): Violation[] {
  const found: Violation[] = [];
  const check = (list: string, book: string, name: string): void => {
    for (const [number] of list.matchAll(/\d+(?:\.\d+)*/g)) {
      if (sections.get(book)?.has(number) === true) continue;
      found.push({ path, message: `there is no section ${number} of ${name}` });
    }
  };
  const unfolded = text.replace(LINE_BREAK, " ");
  for (const [, cited = ""] of unfolded.matchAll(CITATION)) {
    for (const [, part = "", list = ""] of cited.matchAll(EACH)) {
      if (!PASSAGES.has(part)) check(list, part, `specification ${part}`);
    }
  }
  for (const [, list = ""] of unfolded.matchAll(FORMAT_CITATION)) check(list, FORMATS, FORMATS);
  return found;
}
