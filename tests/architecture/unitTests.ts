/**
 * Architecture rule: a unit test starts no program and no thread, opens no browser, and stretches no key for real. One that starts
 * programs is named `*.process.test.ts` and runs with the gate, not with T0.
 *
 * Of T0 this cannot read from imports: disks that are waited for, loops over kills, and the real core in the hands of a command. Sockets
 * of this machine are not covered: servers and clients are units too.
 */
import { isNode, keyName, lineFinder, parseTypescript, walk, type Node } from "./typescriptFile.ts";
import type { SourceFile, Violation } from "./sourceTree.ts";

const UNIT =
  /^(?:shared|node-server|web|scripts|tests\/(?:bench|invoice|signer|testkit|vectors))\/.*(?<!\.process|\.page)\.test\.tsx?$/;

/** Of T0, what can be read from imports. */
export type UnitClause = "program" | "thread" | "browser" | "stretching";

/** Imports that break a clause: those of a module, or of a module some names. */
type Forbidden = {
  readonly clause: UnitClause;
  readonly module: RegExp;
  /** Names that are forbidden, or with `but` those that are not; all are where both are left out. */
  readonly names?: RegExp;
  readonly but?: RegExp;
};

const FORBIDDEN: readonly Forbidden[] = [
  { clause: "program", module: /^(?:node:)?(?:child_process|cluster)$/ },
  {
    clause: "program",
    module: /\/command\.ts$/,
    but: /^(?:ROOT|TIMED_OUT|INTERRUPTED)$/,
  },
  { clause: "thread", module: /^(?:node:)?worker_threads$/, names: /^Worker$/ },
  { clause: "thread", module: /\/thread\.ts$/, names: /^startThread$/ },
  { clause: "browser", module: /^(?:playwright|puppeteer)(?:-core)?$|^@vitest\/browser/ },
  { clause: "stretching", module: /^@noble\/hashes\/(?:argon2|scrypt|pbkdf2)\.js$/ },
  {
    clause: "stretching",
    module: /^(?:node:)?crypto$/,
    names: /^(?:argon2|scrypt|pbkdf2)(?:Sync)?$/,
  },
  { clause: "stretching", module: /\/testkit\/keysScene\.ts$/, names: /^realCore$/ },
];

const HINTS: Readonly<Record<UnitClause, string>> = {
  program: "name it *.process.test.ts",
  thread: "name it *.process.test.ts",
  browser: "it belongs to `tests/e2e` or to the pages",
  stretching: "take `cheapArgon2id` or `cheapCore`",
};

/** A file that breaks a clause all the same, and why. */
export type UnitException = { readonly clause: UnitClause; readonly why: string };

const STORED = "opens what an earlier program stored, and every cost is the stored one";

/** The exceptions by the path of the file. */
export const UNIT_EXCEPTIONS: ReadonlyMap<string, UnitException> = new Map([
  [
    "node-server/platform/thread/thread.test.ts",
    { clause: "thread", why: "a thread is the unit; the file runs alone" },
  ],
  ["node-server/walletd/keys/referenceFile.test.ts", { clause: "stretching", why: STORED }],
  ["node-server/walletd/keys/walletFile.test.ts", { clause: "stretching", why: STORED }],
  ["node-server/walletd/keys/walletBackup.test.ts", { clause: "stretching", why: STORED }],
  ["web/keyring/backupFile.test.ts", { clause: "stretching", why: STORED }],
  ["web/keyring/deviceSlot.test.ts", { clause: "stretching", why: STORED }],
  ["web/keyring/rewrapVault.test.ts", { clause: "stretching", why: STORED }],
]);

/** Clauses that a unit test breaks, whether it is excepted or not, each with where and by which module. */
export function brokenClauses(file: SourceFile): (Violation & { readonly clause: UnitClause })[] {
  if (!UNIT.test(file.path)) return [];
  const lineAt = lineFinder(file.text);
  const found: (Violation & { readonly clause: UnitClause })[] = [];
  walk(parseTypescript(file), undefined, (node) => {
    const taken = takenBy(node);
    if (taken === undefined) return;
    for (const forbidden of FORBIDDEN) {
      if (!forbidden.module.test(taken.module) || !isForbidden(taken.names, forbidden)) continue;
      const { clause } = forbidden;
      const message = `${taken.module} in a unit test (${clause}); ${HINTS[clause]}`;
      found.push({ clause, path: `${file.path}:${lineAt(node.start)}`, message });
    }
  });
  return found;
}

/** Clauses that a unit test breaks without an exception. */
export function unitTestViolations(file: SourceFile): Violation[] {
  const allowed = UNIT_EXCEPTIONS.get(file.path)?.clause;
  return brokenClauses(file)
    .filter(({ clause }) => clause !== allowed)
    .map(({ path, message }) => ({ path, message }));
}

type Taken = {
  readonly module: string;
  /** Names of the values; null for the whole module. */ readonly names: readonly string[] | null;
};

/** The module that a node imports, and its values; undefined for none, and for types alone. */
function takenBy(node: Node): Taken | undefined {
  const isStatic = node.type === "ImportDeclaration" || node.type === "ExportNamedDeclaration";
  const isAll = node.type === "ImportExpression" || node.type === "ExportAllDeclaration";
  const { source, specifiers } = node;
  if (!(isStatic || isAll) || !isNode(source) || typeof source["value"] !== "string") {
    return undefined;
  }
  const module = source["value"];
  if (isAll || !Array.isArray(specifiers) || specifiers.length === 0)
    return { module, names: null };
  if (node["importKind"] === "type" || node["exportKind"] === "type") return undefined;
  const values = specifiers
    .filter(isNode)
    .filter((one) => one["importKind"] !== "type" && one["exportKind"] !== "type");
  if (values.length === 0) return undefined;
  const names = values.map(takenName);
  const isWhole = names.includes(undefined);
  return { module, names: isWhole ? null : names.filter((name) => name !== undefined) };
}

function isForbidden(names: readonly string[] | null, { names: some, but }: Forbidden): boolean {
  if (names === null) return true;
  if (some !== undefined) return names.some((name) => some.test(name));
  return but === undefined || names.some((name) => !but.test(name));
}

/** The name that a specifier takes; undefined for a whole module. */
function takenName(specifier: Node): string | undefined {
  const taken = specifier["imported"] ?? specifier["local"];
  if (specifier.type !== "ImportSpecifier" && specifier.type !== "ExportSpecifier")
    return undefined;
  const name = keyName(taken);
  return name === "default" ? undefined : name;
}
