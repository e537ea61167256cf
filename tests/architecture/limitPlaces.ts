/** Architecture rule: resource limits stand in the limits files, with their unit and reason, and nowhere else. */
import { isRust, isTest, isTypescript, type SourceFile, type Violation } from "./sourceTree.ts";

/** Where bounds may be named: one file of each part, and one of the core. */
const LIMITS_FILE = /^(shared\/[^/]+|node-server\/[^/]+|web|edge)\/[a-z0-9]+Limits\.ts$/;
const CORE_LIMITS_FILE = "wasm-core/crates/codec/src/limits.rs";
const isLimitsFile = (path: string): boolean => LIMITS_FILE.test(path) || path === CORE_LIMITS_FILE;

/** What a bound of queues, caches and waiting is called. Sizes fixed by a format stay with the format. */
const NAME = /(^|_)(TIMEOUT|CAPACITY|CACHE|QUEUE|BACKLOG|BUFFER|RETRIES|ATTEMPTS|INTERVAL)(_|$)/;
const TYPESCRIPT_CONSTANT = /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: \w+)? = -?[\d_]/;
const RUST_CONSTANT = /^\s*(?:pub(?:\([^)]*\))? )?const ([A-Z][A-Z0-9_]*): [ui]\w+ = [\d_]/;
/** A queue, cache or timer made with a number instead of a name. */
const BARE_NUMBER = [
  /\bnew BoundedQueue(<[^(]*>)?\([^,]+, *\d/,
  /\bnew LruMap(<[^(]*>)?\( *\d/,
  /\bAbortSignal\.timeout\( *\d/,
  // The next turn (0) and the tick of a clock (one second) bound nothing.
  /\bset(?:Timeout|Interval)\(.*, *(?!0\)|1_?000\))\d/,
];

/** Bounds outside the limits files: numeric constants named like one, and bare numbers. */
export function limitViolations(file: SourceFile): Violation[] {
  if (isLimitsFile(file.path) || isTest(file.path)) return [];
  if (!isTypescript(file.path) && !isRust(file.path)) return [];
  const form = isTypescript(file.path) ? TYPESCRIPT_CONSTANT : RUST_CONSTANT;
  const [code = ""] = file.text.split("#[cfg(test)]");
  return code.split("\n").flatMap((line, index) => {
    const path = `${file.path}:${index + 1}`;
    const name = form.exec(line)?.[1];
    if (name !== undefined && NAME.test(name)) {
      return [{ path, message: `${name} belongs in a limits file` }];
    }
    const bare = BARE_NUMBER.some((form) => form.test(line));
    return bare ? [{ path, message: "a bound without a name" }] : [];
  });
}

/** A bound that is kept by something else than a program's code. */
const KEPT_ELSEWHERE: ReadonlySet<string> = new Set([
  // `scripts/run.sh` gives it to the allocator.
  "PLATFORM_LIMITS.mallocArenas",
]);

/** Limits that no program reads: nothing is bounded by them. */
export function unreadLimits(files: readonly SourceFile[]): Violation[] {
  const sources = files.filter(({ path }) => isTypescript(path) && !isTest(path));
  const read = new Set<string>();
  for (const { text } of sources) {
    for (const [use] of text.matchAll(/\b[A-Z0-9]+_LIMITS\.\w+/g)) read.add(use);
    for (const [, names = "", table = ""] of text.matchAll(/\{([^{}]*)\} = (\w+_LIMITS)\b/g)) {
      for (const [name] of names.matchAll(/\w+/g)) read.add(`${table}.${name}`);
    }
  }
  return sources
    .filter(({ path }) => isLimitsFile(path))
    .flatMap(({ path, text }) => {
      const table = /export const (\w+) =/.exec(text)?.[1] ?? "";
      const names = Array.from(text.matchAll(/^ {2}(\w+):/gm), ([, name = ""]) => name);
      return names
        .map((name) => `${table}.${name}`)
        .filter((name) => !read.has(name) && !KEPT_ELSEWHERE.has(name))
        .map((name) => ({ path, message: `nobody reads ${name}` }));
    });
}
