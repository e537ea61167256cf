/** Bounds live in the limits files, with their unit and reason, and nowhere else. */
import { isRust, isTest, isTypescript, type SourceFile, type Violation } from "./sourceTree.ts";

/** Where bounds may be named. */
export const LIMIT_FILES: readonly string[] = [
  "shared/base/limits.ts",
  "wasm-core/crates/codec/src/limits.rs",
];

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
  if (LIMIT_FILES.includes(file.path) || isTest(file.path)) return [];
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
