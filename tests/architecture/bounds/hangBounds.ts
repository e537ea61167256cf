/**
 * Architecture rule: what a test waits for is bounded by a name of a module of bounds (`tests/testkit/hangMs.ts`), never by a
 * number of its own. Such a number is right on the machine that it was found on, and a slower one turns it into a verdict.
 * The full size may have others (`skipIf(!IS_FULL)`), since it runs alone.
 */
import type { SourceFile, Violation } from "../sourceTree.ts";
import { FULL, fullSizeOnly, isTestCode } from "../testCode.ts";
import {
  isNode,
  keyName,
  lineFinder,
  nodeName,
  nodesIn,
  parseTypescript,
  walk,
  type Node,
} from "../typescriptFile.ts";

/** Files whose exported numbers bound what hangs. */
const BOUND_MODULES = /(?:^|\/)(?:hangMs|networkSizes|pollMs)\.ts$/;
/** Members of options that are a bound. */
const KEYS: ReadonlySet<string> = new Set([
  "timeout",
  "testTimeout",
  "hookTimeout",
  "teardownTimeout",
  "actionTimeout",
  "connectTimeout",
  "navigationTimeout",
  "protocolTimeout",
  "limitMs",
]);
/** The argument that is the bound, of vitest's functions. */
const CASES: ReadonlyMap<string, number> = new Map([
  ...["it", "test", "describe", "suite"].map((name) => [name, 2] as const),
  ...["beforeAll", "beforeEach", "afterAll", "afterEach"].map((name) => [name, 1] as const),
  ...["onTestFinished", "onTestFailed"].map((name) => [name, 1] as const),
]);
/** The same of functions of test kits, browsers and `vitest.config.ts`, by the last part of their name. */
const WAITERS: ReadonlyMap<string, number> = new Map([
  ["project", 2],
  ["untilSo", 1],
  ["untilTip", 2],
  ["nextLine", 1],
  ["nextLinkEnd", 1],
  ["line", 1],
  ["ended", 0],
  ["endedWithin", 0],
  ["keysReady", 0],
  ["setDefaultTimeout", 0],
  ["setDefaultNavigationTimeout", 0],
]);
/** Functions of `vi` whose own bound is a second. */
const LOOKS: ReadonlySet<string> = new Set(["waitFor", "waitUntil"]);
/** How names of times end; of another import nothing is known. */
const TIME = /(?:ms|seconds?|minutes?|hours?)$/i;
/** An error that tells of a bound has none. */
const ERROR = "SvcError";

/** A text without these has no bound; a parse costs a thousand times as much. */
const HINT = new RegExp(
  `[tT]imeout|limitMs|\\b(?:${[...CASES.keys(), ...WAITERS.keys(), ...LOOKS].join("|")})\\b`,
);

/** Files that may have numbers of their own all the same, and why no verdict is by them. None needs one. */
export const BOUND_OWNERS: ReadonlyMap<string, string> = new Map();

/** Origin of a bound: `bound` has a named one in it, `number` numbers alone; of the rest nothing is known. */
type Origin = "bound" | "number" | "unknown";

/** Imports and constants of a file, by name. */
type Names = {
  /** Where a name is imported from, and how it is called there. */
  readonly imports: ReadonlyMap<string, { readonly source: string; readonly name: string }>;
  /** Values of constants, in whichever block; a name with two values is in neither. */
  readonly values: ReadonlyMap<string, Node | null>;
  /** How many constants were followed to get here: one may stand for itself. */
  readonly followed: number;
};
const MOST_FOLLOWED = 8;

/** Bounds of its own that a file of tests has, whether it is listed or not. */
export function ownBounds(file: SourceFile): Violation[] {
  if (!isTestCode(file.path) || !HINT.test(file.text)) return [];
  const program = parseTypescript(file);
  const names = namesOf(program);
  const found: { readonly start: number; readonly message: string }[] = [];
  const exempt: Node[] = [];
  walk(program, undefined, (node) => {
    for (const bound of boundsOf(node, names)) {
      if (originOf(bound, names) !== "number") continue;
      const text = file.text.slice(bound.start, bound.end);
      found.push({ start: bound.start, message: `bounds a wait by ${text}; take a bound that` });
    }
    if (isUnbounded(node, names)) {
      found.push({ start: node.start, message: "bounds a look by a second; give a timeout that" });
    }
    const only = fullSizeOnly(node);
    if (only !== undefined) exempt.push(only);
    if (node.type === "NewExpression" && nodeName(node["callee"]) === ERROR) exempt.push(node);
  });
  const lineAt = lineFinder(file.text);
  return found
    .filter(({ start }) => !exempt.some((span) => span.start <= start && start < span.end))
    .map(({ start, message }) => ({
      path: `${file.path}:${lineAt(start)}`,
      message: `${message} only what hangs exceeds (tests/testkit/hangMs.ts)`,
    }));
}

/** Bounds of their own in files that are not listed. */
export function hangBoundViolations(file: SourceFile, owners = BOUND_OWNERS): Violation[] {
  return owners.has(file.path) ? [] : ownBounds(file);
}

/** Listed files that are not there or have no bound of their own. */
export function idleOwners(tree: readonly SourceFile[], owners = BOUND_OWNERS): string[] {
  const needed = tree.filter((file) => owners.has(file.path) && ownBounds(file).length > 0);
  return [...owners.keys()].filter((path) => !needed.some((file) => file.path === path));
}

/** The names of a file that a bound may be made of. */
function namesOf(program: unknown): Names {
  const imports = new Map<string, { readonly source: string; readonly name: string }>();
  const values = new Map<string, Node | null>();
  walk(program, undefined, (node) => {
    const { source, specifiers, id, init } = node;
    if (node.type === "ImportDeclaration" && isNode(source)) {
      for (const one of nodesIn(specifiers)) {
        const local = nodeName(one["local"]);
        const name = nodeName(one["imported"]) ?? "default";
        if (local !== undefined) imports.set(local, { source: String(source["value"]), name });
      }
    }
    const name = node.type === "VariableDeclarator" ? nodeName(id) : undefined;
    if (name !== undefined) values.set(name, isNode(init) && !values.has(name) ? init : null);
  });
  return { imports, values, followed: 0 };
}

/** The expressions of a node that bound a wait. */
function boundsOf(node: Node, names: Names): Node[] {
  const { key, value, left, right } = node;
  if (node.type === "Property" && KEYS.has(keyName(key) ?? "")) return isNode(value) ? [value] : [];
  if (node.type === "AssignmentPattern" && KEYS.has(nodeName(left) ?? ""))
    return [right].filter(isNode);
  if (node.type !== "CallExpression") return [];
  const given = nodesIn(node["arguments"]);
  const place = CASES.get(rootOf(node["callee"], names) ?? "") ?? waiterPlace(node["callee"]);
  const second = isLook(node, names) ? given[1] : undefined;
  return [place === undefined ? undefined : given[place], second].filter(isNode);
}

/** The argument that bounds a call of a test kit or a browser; undefined where there is none. */
function waiterPlace(callee: unknown): number | undefined {
  if (!isNode(callee)) return undefined;
  const isSignal = nodeName(callee["object"]) === "AbortSignal";
  if (isSignal && keyName(callee["property"]) === "timeout") return 0;
  return WAITERS.get(nodeName(callee) ?? keyName(callee["property"]) ?? "");
}

/** Whether a node is a call of `vi.waitFor` or `vi.waitUntil`. */
function isLook({ type, callee }: Node, names: Names): boolean {
  if (type !== "CallExpression" || !isNode(callee)) return false;
  const object = nodeName(callee["object"]);
  const isVi = object !== undefined && importOf(object, names) === "vi";
  return isVi && LOOKS.has(keyName(callee["property"]) ?? "");
}

/** Whether a node looks again and again without a bound. */
function isUnbounded(node: Node, names: Names): boolean {
  if (!isLook(node, names)) return false;
  const [, options] = nodesIn(node["arguments"]);
  const given = options === undefined ? undefined : resolved(options, names);
  if (given?.type !== "ObjectExpression") return given === undefined;
  return !nodesIn(given["properties"]).some(
    (one) => one.type === "SpreadElement" || keyName(one["key"]) === "timeout",
  );
}

/** The function of vitest that a chain of members and calls begins with: `test` of `test.skipIf(…).each(…)`. */
function rootOf(callee: unknown, names: Names): string | undefined {
  if (!isNode(callee)) return undefined;
  const name = nodeName(callee);
  if (name === undefined) return rootOf(callee["object"] ?? callee["callee"], names);
  const value = valueOf(name, names);
  return value === undefined || isNode(value["body"])
    ? importOf(name, names)
    : rootOf(value, deeper(names));
}

/** The name of what vitest exports that a name stands for; the name itself where it is imported from nowhere. */
function importOf(name: string, { imports, values }: Names): string | undefined {
  const from = imports.get(name);
  if (from === undefined) return values.has(name) ? undefined : name;
  return from.source === "vitest" ? from.name : undefined;
}

/** Origin of a bound. */
function originOf(node: Node, names: Names): Origin {
  const [first = "unknown", ...others] = originsOf(node, names);
  const ranks: readonly Origin[] = isShortened(node)
    ? ["number", "unknown", "bound"]
    : ["bound", "unknown", "number"];
  return others.reduce((a, b) => (ranks.indexOf(a) < ranks.indexOf(b) ? a : b), first);
}

/** Origins of the parts of a bound. */
function originsOf(node: Node, names: Names): Origin[] {
  const each = (...parts: readonly unknown[]) =>
    parts.filter(isNode).map((one) => originOf(one, names));
  switch (node.type) {
    case "Literal":
      return [typeof node["value"] === "number" ? "number" : "unknown"];
    case "Identifier":
      return [nameOrigin(node, names)];
    case "MemberExpression":
      return [memberOrigin(node, names)];
    case "UnaryExpression":
      return each(node["argument"]);
    case "BinaryExpression":
    case "LogicalExpression":
      return each(node["left"], node["right"]);
    case "ConditionalExpression":
      return nodeName(node["test"]) === FULL
        ? each(node["alternate"])
        : each(node["consequent"], node["alternate"]);
    case "CallExpression":
      return nodeName(at(node["callee"], "object")) === "Math"
        ? each(...nodesIn(node["arguments"]))
        : ["unknown"];
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return each(node["expression"]);
    default:
      return ["unknown"];
  }
}

/** Origin of a name of the file. */
function nameOrigin(node: Node, names: Names): Origin {
  const name = nodeName(node) ?? "";
  const from = names.imports.get(name);
  if (from !== undefined) return importOrigin(from.source, from.name);
  const value = valueOf(name, names);
  return value === undefined ? "unknown" : originOf(value, deeper(names));
}

/** Origin of an import. A time of another module, such as a limit of the product, is a number like one of the file. */
function importOrigin(source: string, name: string): Origin {
  if (BOUND_MODULES.test(source)) return "bound";
  return TIME.test(name) ? "number" : "unknown";
}

/** Origin of a member of an object: one of the file, or one that is imported. */
function memberOrigin(node: Node, names: Names): Origin {
  const [object, property] = [nodeName(node["object"]), keyName(node["property"])];
  if (object === undefined || property === undefined) return "unknown";
  const from = names.imports.get(object);
  if (from !== undefined) return importOrigin(from.source, property);
  const held = valueOf(object, names);
  const own = held === undefined ? undefined : resolved(held, deeper(names));
  const member = nodesIn(own?.["properties"]).find((one) => keyName(one["key"]) === property);
  return isNode(member?.["value"]) ? originOf(member["value"], deeper(names)) : "unknown";
}

/** The expression that a node stands for: the value of a constant, and what an assertion of its type is about. */
function resolved(node: Node, names: Names): Node {
  const { expression } = node;
  if (isNode(expression)) return resolved(expression, names);
  const name = nodeName(node);
  const value = name === undefined ? undefined : valueOf(name, names);
  return value === undefined ? node : resolved(value, deeper(names));
}

/** The value of a constant; undefined where it is not known, and for one too far away. */
function valueOf(name: string, { values, followed }: Names): Node | undefined {
  return followed < MOST_FOLLOWED ? (values.get(name) ?? undefined) : undefined;
}

function deeper(names: Names): Names {
  return { ...names, followed: names.followed + 1 };
}

/** Whether one number in an expression is enough to make it too short: a leg of a condition, a lower limit, a divisor. */
function isShortened({ type, operator, callee }: Node): boolean {
  if (type === "BinaryExpression") return operator !== "*" && operator !== "+";
  const isLowest =
    nodeName(at(callee, "object")) === "Math" && keyName(at(callee, "property")) === "min";
  return type === "ConditionalExpression" || isLowest;
}

function at(node: unknown, member: string): unknown {
  return isNode(node) ? node[member] : undefined;
}
