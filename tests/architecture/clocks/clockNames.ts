/** Names under which a file of tests reaches the clocks and the timers of the machine: imports, aliases, and members by any spelling. */
import { isNode, keyName, type Node } from "../typescriptFile.ts";

/** The object that has all globals. */
export const GLOBAL = "globalThis";

const PROMISED = "timers/promises";

/** Members that read a clock, count time that has passed, or wait for a time. */
export const MEMBERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["performance", new Set(["now", "timeOrigin", "eventLoopUtilization"])],
  ["Date", new Set(["now"])],
  ["Temporal", new Set(["Now"])],
  ["process", new Set(["hrtime", "uptime", "cpuUsage", "threadCpuUsage", "resourceUsage"])],
  ["systemClock", new Set(["nowMs", "steadyMs", "bootMs", "sleep"])],
  ["AbortSignal", new Set(["timeout"])],
  // `setImmediate` waits for a turn.
  [PROMISED, new Set(["setTimeout", "setInterval", "scheduler"])],
]);

/** Functions that do. */
export const CALLS: ReadonlySet<string> = new Set([
  "setTimeout",
  "setInterval",
  "processorMs",
  "monitorEventLoopDelay",
]);

/** Modules of Node by the object that they are like. */
export const MODULES: ReadonlyMap<string, string> = new Map(
  [
    ["perf_hooks", GLOBAL],
    ["timers", GLOBAL],
    ["timers/promises", PROMISED],
    ["process", "process"],
  ].flatMap(([name = "", object = ""]) => [
    [name, object],
    [`node:${name}`, object],
  ]),
);

/** Other names of the object that has all globals. */
const GLOBALS: ReadonlySet<string> = new Set([GLOBAL, "window", "self", "global"]);
/** Syntax around a value that leaves it what it is. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "AwaitExpression",
  "ChainExpression",
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
]);

/** The names of one file. Scopes are not told apart: an alias holds in the whole file. */
export class ClockNames {
  readonly #aliases = new Map<string, string>();

  /** Takes the names that a node gives. Nodes come in their order. */
  learn(node: Node): void {
    if (node.type === "ImportDeclaration") return this.#learnImport(node);
    const [target, value] = assignment(node);
    if (!isNode(target)) return;
    const object = this.objectOf(value);
    if (object === undefined) return;
    if (target.type === "Identifier") this.#alias(target, object);
    const properties: unknown = target["properties"];
    if (object !== GLOBAL || !Array.isArray(properties)) return;
    for (const one of properties as readonly unknown[]) {
      if (!isNode(one)) continue;
      const name = keyName(one["key"], one["computed"] === true);
      if (name !== undefined) this.#alias(one["value"], name);
    }
  }

  /** The clock, the timer or the global object that an expression is; undefined for anything else. */
  objectOf(value: unknown): string | undefined {
    if (!isNode(value)) return undefined;
    if (WRAPPERS.has(value.type)) return this.objectOf(value["expression"] ?? value["argument"]);
    if (value.type === "ImportExpression") {
      return isNode(value["source"]) ? MODULES.get(String(value["source"]["value"])) : undefined;
    }
    if (value.type === "Identifier") {
      const name = String(value["name"]);
      return known(this.#aliases.get(name) ?? name);
    }
    if (value.type !== "MemberExpression" || this.objectOf(value["object"]) !== GLOBAL) {
      return undefined;
    }
    const name = keyName(value["property"], value["computed"] === true);
    return name === undefined ? undefined : known(name);
  }

  #learnImport({ source, specifiers }: Node): void {
    const module = isNode(source) ? MODULES.get(String(source["value"])) : undefined;
    if (!Array.isArray(specifiers)) return;
    for (const one of specifiers as readonly unknown[]) {
      if (!isNode(one)) continue;
      const name = keyName(one["imported"]);
      // The whole module, by a star or by default.
      if (name === undefined || name === "default") {
        if (module !== undefined) this.#alias(one["local"], module);
      } else if (module === undefined || module === GLOBAL) this.#alias(one["local"], name);
    }
  }

  #alias(target: unknown, object: string): void {
    // A pattern may name a value for what is not there.
    const name = isNode(target) && target.type === "AssignmentPattern" ? target["left"] : target;
    if (!isNode(name) || name.type !== "Identifier" || known(object) === undefined) return;
    this.#aliases.set(String(name["name"]), object);
  }
}

/** Target and value of a node that gives a name to a value; undefined for both where it does not. */
export function assignment(node: Node): readonly [unknown, unknown] {
  if (node.type === "VariableDeclarator") return [node["id"], node["init"]];
  const isOne = node.type === "AssignmentExpression" || node.type === "AssignmentPattern";
  return isOne ? [node["left"], node["right"]] : [undefined, undefined];
}

function known(name: string): string | undefined {
  if (GLOBALS.has(name)) return GLOBAL;
  return MEMBERS.has(name) || CALLS.has(name) ? name : undefined;
}
