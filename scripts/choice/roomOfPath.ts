/** Meaning of a changed path when the tests of tier T2 are chosen. */
import { SHOWN_BY } from "./shownRooms.ts";

/** Everything, a test file itself, a helper of tests with the room that speaks for it beside its importers, a room, or nothing. */
export type PathMeaning =
  | { readonly kind: "everything" }
  | { readonly kind: "test" }
  | { readonly kind: "helper"; readonly room?: string }
  | { readonly kind: "room"; readonly room: string }
  | { readonly kind: "nothing" };

/** Files by which every test is built or run; a test compares them with the imports of the runner. Lockfiles are here for those who cannot compare them (`lockfileRooms.ts`). */
const SET_UP: ReadonlySet<string> = new Set([
  ".npmrc",
  "package.json",
  "package-lock.json",
  "rust-toolchain.toml",
  "scripts/buildProgram.ts",
  "scripts/buildWasm.ts",
  "scripts/gate/compileTests.ts",
  "scripts/gate/flakyRows.ts",
  "scripts/gate/runGate.ts",
  "scripts/gate/secondTry.ts",
  "scripts/lib/command.ts",
  "scripts/lib/interruption.ts",
  "scripts/lib/keptOutput.ts",
  "scripts/lib/node.sh",
  "scripts/lib/outsideFacts.ts",
  "scripts/lib/outsideFactsReporter.ts",
  "scripts/lib/packages.sh",
  "scripts/lib/runSuite.ts",
  "scripts/lib/runSuites.ts",
  "scripts/lib/rust.sh",
  "scripts/lib/suiteResult.ts",
  "scripts/lib/tally.ts",
  "scripts/run.sh",
  "scripts/setup.sh",
  "scripts/suites.ts",
  "scripts/test.ts",
  "scripts/testWasm.ts",
  "scripts/warmModules.ts",
  "tsconfig.json",
  "vite.config.ts",
  "vitest.config.ts",
  "wasm-core/Cargo.lock",
  "wasm-core/Cargo.toml",
]);
const T2_TEST = /^tests\/(integration|network|e2e|plugins|hashes)\/.*\.test\.tsx?$/;
/** Tests and benchmarks of crates that no suite of T2 runs. */
const CRATE_TEST =
  /^wasm-core\/crates\/(?!(sim|fuzz|oracle|kernels)\/)[^/]+\/(tests|benches|examples)\//;
const HELPER = /^(tests|scripts)\/|\/testkit\//;
const TYPESCRIPT = /\.tsx?$/;
/** Read by people, by checks that are never chosen, by benchmarks, or by the suite `package`, which is not of T2. */
const UNREAD =
  /^(docs|changes|\.ci|package|tests\/bench|wasm-core\/crates\/bench-peer)\/|^tests\/(package|tsconfig|flaky|passed)\.json$|^(LICENSE|CODEOWNERS|\.gitignore|\.ox(fmt|lint)rc\.json)$|\.md$/;

/** Whether every test is built or run by a file. */
export function isSetUp(path: string): boolean {
  return SET_UP.has(path);
}

/** Whether a path is a test file of T2. */
export function isT2Test(path: string): boolean {
  return T2_TEST.test(path);
}

/** Whether a path helps tests: it counts for the test files that import or start it. */
export function isHelper(path: string): boolean {
  return HELPER.test(path) && !/\.test\.tsx?$/.test(path);
}

/** Whether a path is for people, or shown by what is not of T2. */
export function isUnread(path: string): boolean {
  return UNREAD.test(path);
}

/** The meaning of a changed path. A file that nobody can place counts for everything. */
export function roomOfPath(path: string): PathMeaning {
  if (isSetUp(path)) return { kind: "everything" };
  if (isT2Test(path)) return { kind: "test" };
  if (/\.test\.tsx?$/.test(path) || CRATE_TEST.test(path)) return { kind: "nothing" };
  // A document that a test reads is a room of its own.
  if (SHOWN_BY[path] !== undefined) return { kind: "room", room: path };
  if (isHelper(path)) return helper(path);
  if (isUnread(path)) return { kind: "nothing" };
  const room = longestRoom(path);
  return room === undefined ? { kind: "everything" } : { kind: "room", room };
}

function helper(path: string): PathMeaning {
  const room = TYPESCRIPT.test(path) || isUnread(path) ? undefined : longestRoom(path);
  return room === undefined ? { kind: "helper" } : { kind: "helper", room };
}

/** The innermost room that a path lies in; undefined for a path of none. */
export function longestRoom(path: string): string | undefined {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    if (SHOWN_BY[folder] !== undefined) return folder;
  }
  return undefined;
}
