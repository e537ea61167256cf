/** Links of documents: to files and folders that are there, and to headings that their document has. */
import { posix } from "node:path";
import type { SourceFile, Violation } from "../sourceTree.ts";

/** What links may lead to. */
type Places = {
  /** Anchors of each document, by its path. */
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether a file or folder is there, by its path from the root. */
  readonly exists: (path: string) => boolean;
};

const FENCED_CODE = /^[ \t]*(`{3,}|~{3,}).*\n[\s\S]*?^[ \t]*\1/gm;
/** The end of a line may be in it, an empty line may not. */
const INLINE_CODE = /(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/g;
const LINK = /\]\(([^()\s]+)(?:[ \t]+"[^"]*")?\)/g;
/** `https:` and the like: a link to elsewhere. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HEADING = /^#{1,6} (.+)$/gm;
const LINK_TARGET = /\]\([^)]*\)/g;
/** What anchors leave out of a heading. */
const PUNCTUATION = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/** Relative links in documents of `files` that lead nowhere; `exists` knows the files and folders below the root. */
export function linkViolations(
  files: readonly SourceFile[],
  exists: Places["exists"],
): Violation[] {
  const documents = files.filter(({ path }) => path.endsWith(".md"));
  const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
  return documents.flatMap(({ path, text }) =>
    linksOf(text)
      .filter((link) => !leadsSomewhere(path, link, { anchors, exists }))
      .map((link) => ({ path, message: `the link ${link} leads nowhere` })),
  );
}

/** Targets of links, those to elsewhere and what stands in code left out. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(FENCED_CODE, "").replaceAll(INLINE_CODE, "");
  const targets = Array.from(prose.matchAll(LINK), ([, target = ""]) => target);
  return targets.filter((target) => !SCHEME.test(target));
}

function leadsSomewhere(from: string, link: string, { anchors, exists }: Places): boolean {
  const [file = "", anchor] = link.split("#", 2);
  const target = file === "" ? from : posix.join(posix.dirname(from), file).replace(/\/$/, "");
  if (target.startsWith("..") || !exists(target)) return false;
  if (anchor === undefined || !target.endsWith(".md")) return true;
  return anchors.get(target)?.has(anchor) === true;
}

/** The anchors of a document's headings; where two headings have the same words, the second one gets a number. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.replaceAll(FENCED_CODE, "").matchAll(HEADING)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const words = heading.trim().replaceAll(LINK_TARGET, "").toLowerCase();
  return words.replaceAll(PUNCTUATION, "").replaceAll(" ", "-");
}
