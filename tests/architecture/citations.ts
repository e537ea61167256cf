/**
 * Citations of the specification: “specification consensus 8.2” is section 8.2 of the part `docs/spec/consensus.md`, or of a
 * file in `docs/spec/consensus`.
 */
import type { SourceFile, Violation } from "./sourceTree.ts";

/** Of each part, the numbers of its sections. */
export type Sections = ReadonlyMap<string, ReadonlySet<string>>;

const PLACE = /^docs\/spec\/([a-z]+)(?:\.md|\/.+\.md)$/;
const HEADING = /^#{2,6} (\d+(?:\.\d+)*) /gm;

/** Number of a section, with the letter of a passage in it. */
const NUMBER = String.raw`\d+(?:\.\d+)*(?: [A-Z]\b)?`;
/** One part, and the sections of it that are cited together. */
const CITED = String.raw`(\w+) (${NUMBER}(?:(?:, | and | or | to )${NUMBER})*)`;
const CITATION = new RegExp(
  String.raw`\b[Ss]pecification (?:sections )?(${CITED}(?:(?:, | and |; )${CITED})*)`,
  "g",
);
const EACH = new RegExp(CITED, "g");
/** Passages of a section that have numbers of their own, and another book: no sections. */
const PASSAGES = new Set(["message", "messages", "stage", "stages", "step", "steps", "ADR"]);
/** What begins a line of a comment, or folds one: a citation may be broken there. */
const LINE_BREAK = /\n\s*(?:\*|\/\/[/!]?|#)?[ \t]*/g;

/** What the documents of the specification define. */
export function sectionsOf(files: readonly SourceFile[]): Sections {
  const sections = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const part = PLACE.exec(path)?.[1];
    if (part === undefined) continue;
    const known = sections.get(part) ?? new Set();
    for (const [, number = ""] of text.matchAll(HEADING)) known.add(number);
    sections.set(part, known);
  }
  return sections;
}

/** Citations of parts and sections that do not exist. */
export function citationViolations({ path, text }: SourceFile, sections: Sections): Violation[] {
  const found: Violation[] = [];
  for (const [, cited = ""] of text.replace(LINE_BREAK, " ").matchAll(CITATION)) {
    for (const [, part = "", list = ""] of cited.matchAll(EACH)) {
      if (PASSAGES.has(part)) continue;
      for (const [number] of list.matchAll(/\d+(?:\.\d+)*/g)) {
        if (sections.get(part)?.has(number) === true) continue;
        found.push({ path, message: `there is no section ${number} of specification ${part}` });
      }
    }
  }
  return found;
}
