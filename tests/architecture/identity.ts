/**
 * Architecture rule: names and numbers of a network come from its profile, and nothing in code spells them. Other words
 * that must not appear: the brand of the chain whose recordings serve as test data, leftovers of unfinished work, and
 * places outside the repository.
 */
import { createHash } from "node:crypto";
import { isTest, type SourceFile, type Violation } from "./sourceTree.ts";

/** Shorter strings of a profile are ordinary words. */
const SHORTEST_STRING = 6;
/** Smaller numbers of a profile are ordinary numbers. */
const SMALLEST_PORT = 1024;

/** Strings and ports of profiles that no code may repeat. */
export function identityOf(profiles: readonly unknown[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown, key: string, path: string) => {
    if (typeof value === "string" && value.length >= SHORTEST_STRING && !/^\d+$/.test(value)) {
      found.add(`"${value}"`);
    }
    if (typeof value === "number" && isIdentityNumber(path, value)) found.add(String(value));
    if (typeof value !== "object" || value === null) return;
    for (const [name, item] of Object.entries(value)) visit(item, name, `${path}/${key}`);
  };
  for (const profile of profiles) visit(profile, "", "");
  return found;
}

function isIdentityNumber(path: string, value: number): boolean {
  return (path.endsWith("/ports") && value > SMALLEST_PORT) || path.endsWith("/genesis");
}

/** Literals of a profile in code that is not a test. */
export function identityViolations(file: SourceFile, identity: ReadonlySet<string>): Violation[] {
  if (isTest(file.path)) return [];
  const found: Violation[] = [];
  const [code = ""] = file.text.split("#[cfg(test)]");
  code.split("\n").forEach((line, index) => {
    if (/^\s*(\/\/|\*|\/\*)/.test(line)) return;
    for (const [literal] of line.replaceAll("_", "").matchAll(/\b\d{4,}\b/g)) {
      if (identity.has(literal)) report(literal, index);
    }
    for (const [literal] of line.matchAll(/"[^"]{6,}"/g)) {
      if (identity.has(literal)) report(literal, index);
    }
  });
  function report(literal: string, index: number) {
    found.push({ path: `${file.path}:${index + 1}`, message: `${literal} belongs to a profile` });
  }
  return found;
}

/** SHA-256 of the first four letters of the brand, so that the rule itself does not spell it. */
const BRAND_DIGEST = "d3a4c3f00ebbf74a2329e93031d3b44325aaf44018062863d3ea9225e6d8dc6c";
const LEFTOVERS = /\b(TODO|FIXME|XXX|HACK|unimplemented!|todo!)/;
// Written apart, so that this file passes its own rule.
const OUTSIDE = new RegExp(
  [
    ["/wo", "rk/"],
    ["/tmp/", "te"],
    ["\\bdesign\\.", "md\\b"],
    ["\\banchors\\.", "md\\b"],
  ]
    .map((parts) => parts.join(""))
    .join("|"),
);

const digests = new Map<string, string>();

function digestOf(word: string): string {
  const known = digests.get(word);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(word).digest("hex");
  digests.set(word, digest);
  return digest;
}

/** Forbidden words anywhere in sources and documents. `digest` is given by tests of the rule. */
export function wordViolations(file: SourceFile, digest = BRAND_DIGEST): Violation[] {
  const found: Violation[] = [];
  file.text.split("\n").forEach((line, index) => {
    const path = `${file.path}:${index + 1}`;
    for (const [word] of line.toLowerCase().matchAll(/[a-z]{4,}/g)) {
      if (digestOf(word.slice(0, 4)) === digest) {
        found.push({ path, message: "brand of another chain" });
      }
    }
    if (LEFTOVERS.test(line) && !file.path.startsWith("tests/architecture/")) {
      found.push({ path, message: "unfinished work" });
    }
    if (OUTSIDE.test(line)) found.push({ path, message: "a place outside the repository" });
  });
  return found;
}
