/**
 * Architecture rule: a test reads no clock of the machine and waits for no time of its own, so no verdict depends on how quick
 * the machine is. Windows, retries, timeouts and rates are moved by a manual clock; what comes by itself is waited for by the
 * part's own event. Figures of speed belong to `tests/bench`, or to the full size (`skipIf(!IS_FULL)`).
 */
import { CLOCK_USERS } from "./clockUsers.ts";
import type { SourceFile, Violation } from "../sourceTree.ts";
import { fullSizeOnly, isTestCode } from "../testCode.ts";
import { assignment, CALLS, ClockNames, GLOBAL, MEMBERS, MODULES } from "./clockNames.ts";
import {
  isNode,
  keyName,
  lineFinder,
  parseTypescript,
  walk,
  type Node,
} from "../typescriptFile.ts";

/** The same on any object: a page that sleeps, and a process or a page whose computing is counted. */
const ANYWHERE: ReadonlySet<string> = new Set([
  "waitForTimeout",
  "processorMs",
  "longestMs",
  "provingTime",
]);

/** A text without these has none of the above; a parse costs a thousand times as much. */
const HINT =
  /performance|perf_hooks|Date|Temporal|process|systemClock|AbortSignal|waitForTimeout|longestMs|provingTime|set(?:Timeout|Interval)|timers/;

/** A use of a real clock: what is used, and where. */
export type ClockUse = { readonly use: string; readonly path: string };

/** Uses of a real clock in a file of tests, whether it is listed or not. */
export function clockUses(file: SourceFile): ClockUse[] {
  if (!isTestCode(file.path) || !HINT.test(file.text)) return [];
  const program = parseTypescript(file);
  const names = new ClockNames();
  walk(program, undefined, (node) => names.learn(node));
  const found: { readonly start: number; readonly use: string }[] = [];
  const fullSize: Node[] = [];
  walk(program, undefined, (node) => {
    for (const use of usesOf(node, names)) found.push({ start: node.start, use });
    const only = fullSizeOnly(node);
    if (only !== undefined) fullSize.push(only);
  });
  const lineAt = lineFinder(file.text);
  return found
    .filter(({ start }) => !fullSize.some((span) => span.start <= start && start < span.end))
    .map(({ start, use }) => ({ use, path: `${file.path}:${lineAt(start)}` }));
}

/** Uses of a real clock that no exception names. */
export function clockVerdictViolations(file: SourceFile): Violation[] {
  const allowed = CLOCK_USERS.get(file.path)?.uses ?? [];
  return clockUses(file)
    .filter(({ use }) => !allowed.includes(use))
    .map(({ use, path }) => ({
      path,
      message: `${use} in a test; move a manual clock, or wait for an event of the part`,
    }));
}

/** The clocks and the waits that a node of a tree is, without those of the nodes below it. */
function usesOf(node: Node, names: ClockNames): readonly string[] {
  if (node.type === "MemberExpression") return memberUses(node, names);
  if (node.type === "ImportDeclaration") return importUses(node);
  const [pattern, value] = assignment(node);
  if (isNode(pattern) && pattern.type === "ObjectPattern")
    return patternUses(pattern, value, names);
  return callUses(node, names);
}

function callUses(node: Node, names: ClockNames): readonly string[] {
  const callee = isNode(node["callee"]) ? node["callee"] : undefined;
  if (callee === undefined) return [];
  const name = names.objectOf(callee);
  if (name === undefined) return [];
  const given = Array.isArray(node["arguments"]) ? node["arguments"].length : 0;
  if (node.type === "NewExpression") return name === "Date" && given === 0 ? ["new Date()"] : [];
  // A member is a use by itself.
  if (node.type !== "CallExpression" || callee.type === "MemberExpression") return [];
  if (name === "Date") return ["Date()"];
  // Without a time a timer waits for a turn.
  return CALLS.has(name) && !(name === "setTimeout" && given < 2) ? [name] : [];
}

function memberUses(node: Node, names: ClockNames): readonly string[] {
  const property = keyName(node["property"], node["computed"] === true);
  return property === undefined ? [] : propertyUses(names.objectOf(node["object"]), property);
}

/** Uses in a pattern that takes members out of an object. */
function patternUses(pattern: Node, value: unknown, names: ClockNames): readonly string[] {
  const object = names.objectOf(value);
  const properties: unknown = pattern["properties"];
  if (object === GLOBAL || !Array.isArray(properties)) return [];
  return properties.flatMap((one: unknown) => {
    const name = isNode(one) ? keyName(one["key"], one["computed"] === true) : undefined;
    return name === undefined ? [] : propertyUses(object, name);
  });
}

function propertyUses(object: string | undefined, property: string): readonly string[] {
  if (ANYWHERE.has(property)) return [property];
  if (object === undefined) return [];
  if (object === GLOBAL) return CALLS.has(property) ? [property] : [];
  return MEMBERS.get(object)?.has(property) === true ? [`${object}.${property}`] : [];
}

/** Names that a file takes from a module of Node, where each is a clock or a wait. */
function importUses({ source, specifiers }: Node): readonly string[] {
  const module = isNode(source) ? MODULES.get(String(source["value"])) : undefined;
  if (module === undefined || module === GLOBAL || !Array.isArray(specifiers)) return [];
  return specifiers.flatMap((one: unknown) => {
    const name = isNode(one) ? keyName(one["imported"]) : undefined;
    return name !== undefined && MEMBERS.get(module)?.has(name) === true
      ? [`${module}.${name}`]
      : [];
  });
}
