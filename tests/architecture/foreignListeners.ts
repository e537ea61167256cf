/**
 * Architecture rule: every event listener of the node that foreign bytes reach goes through `guarded`
 * (node-server/platform), since one that throws would end the program. A source is foreign unless its name stands here.
 */
import { isTest, type SourceFile, type Violation } from "./sourceTree.ts";
import { isNode, lineFinder, parseTypescript, walk, type Node } from "./typescriptFile.ts";

const AREA = "node-server/";
/** Calls that add a listener. */
const ADDING = new Set(["on", "once", "addListener", "prependListener", "prependOnceListener"]);
/** Sources of this program's own: its process, its threads and the programs it starts. */
const OWN_SOURCES = new Set(["process", "port", "worker", "child", "source"]);
/** The one that may be used for the last guard of all: faults of the process. */
const LAST_GUARD = "node-server/app/program/endOnFault.ts";
const GUARD = "guarded";

/** Listeners of foreign sources that are not guarded. */
export function listenerViolations(file: SourceFile): Violation[] {
  if (!file.path.startsWith(AREA) || isTest(file.path) || file.path.includes("/testkit/"))
    return [];
  const program = parseTypescript(file);
  const guards = guardedNames(program);
  const lineAt = lineFinder(file.text);
  const found: Violation[] = [];
  const require = (listener: unknown, what: string): void => {
    if (!isNode(listener) || isGuarded(listener, guards)) return;
    const path = `${file.path}:${lineAt(listener.start)}`;
    found.push({ path, message: `${what} is not guarded (node-server/platform/net/guarded.ts)` });
  };
  walk(program, undefined, (node) => {
    if (node.type !== "CallExpression") return;
    const args = node["arguments"];
    if (!Array.isArray(args)) return;
    const { name, receiver, isPublicMethod } = calleeOf(node);
    if (isPublicMethod && ADDING.has(name) && args.length > 1 && !isOwn(receiver, file.path)) {
      require(args[1], `the listener of ${receiver}.${name}`);
    }
    if (name === "addEventListener" && !isAbort(args[0])) require(args[1], "the event listener");
    if (name === "createServer" || name === "createSocket") {
      for (const arg of args) if (isFunction(arg)) require(arg, `the listener of ${name}`);
    }
    if (name === "addService") {
      for (const handler of valuesOf(args[1])) require(handler, "the handler of a service");
    }
  });
  return found;
}

/** `guarded(…)`, or a constant that is one. */
function isGuarded(listener: Node, guards: ReadonlySet<string>): boolean {
  if (listener.type === "Identifier") return guards.has(String(listener["name"]));
  return listener.type === "CallExpression" && calleeOf(listener).name === GUARD;
}

function guardedNames(program: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  walk(program, undefined, (node) => {
    const { id, init } = node as { id?: unknown; init?: unknown };
    if (node.type !== "VariableDeclarator" || !isNode(id) || !isNode(init)) return;
    if (init.type === "CallExpression" && calleeOf(init).name === GUARD) {
      names.add(String(id["name"]));
    }
  });
  return names;
}

type Callee = {
  readonly name: string;
  readonly receiver: string;
  /** An emitter's method is one; a function or a private method of the same name adds no listener. */
  readonly isPublicMethod: boolean;
};

/** The name of what is called, and of what it belongs to. */
function calleeOf(call: Node): Callee {
  const { callee } = call as { callee?: unknown };
  if (!isNode(callee)) return { name: "", receiver: "", isPublicMethod: false };
  if (callee.type === "Identifier") {
    return { name: nameOf(callee), receiver: "", isPublicMethod: false };
  }
  const [property, object] = [callee["property"], callee["object"]];
  const isPublicMethod = isNode(property) && property.type === "Identifier";
  return { name: nameOf(property), receiver: nameOf(object), isPublicMethod };
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  if (node.type === "MemberExpression") return nameOf(node["property"]);
  return typeof node["name"] === "string" ? node["name"] : "";
}

function isOwn(receiver: string, path: string): boolean {
  return OWN_SOURCES.has(receiver) && (receiver !== "source" || path === LAST_GUARD);
}

function isAbort(event: unknown): boolean {
  return isNode(event) && event["value"] === "abort";
}

function isFunction(node: unknown): boolean {
  return isNode(node) && /^(ArrowFunction|Function)Expression$/.test(node.type);
}

/** The values of an object that is written out; anything else is taken for a value itself. */
function valuesOf(node: unknown): unknown[] {
  if (!isNode(node) || node.type !== "ObjectExpression") return [node];
  const properties: unknown = node["properties"];
  return Array.isArray(properties)
    ? properties.map((one) => (isNode(one) ? one["value"] : one))
    : [];
}
