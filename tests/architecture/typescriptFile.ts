/** Syntax tree analysis of one TypeScript file for the architecture rules: its imports, functions and re-exports. */
import { parseSync } from "vite";
import type { SourceFile } from "./sourceTree.ts";

/** An import, export-from or dynamic import. */
export type ImportEdge = { readonly specifier: string; readonly line: number };

/** A function with a body: its name where it has one, and its length in lines. */
export type FunctionSpan = {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  /** How many of the lines are markup. */
  readonly markupLines: number;
  /** True for an arrow or function expression handed straight to a call, as test bodies are. */
  readonly isArgument: boolean;
};

/** The facts of one file. */
export type TypescriptFacts = {
  readonly imports: readonly ImportEdge[];
  readonly functions: readonly FunctionSpan[];
  readonly anyLines: readonly number[];
  readonly nonNullLines: readonly number[];
  /** Lines of `export … from`. */
  readonly reExportLines: readonly number[];
  /** Lines of members that are private by a word; constructors have no other way. */
  readonly privateLines: readonly number[];
};

/** A node of a syntax tree. */
export type Node = Record<string, unknown> & { type: string; start: number; end: number };

/** The syntax tree of a file. Throws with its path when the syntax is wrong. */
export function parseTypescript(file: SourceFile): unknown {
  const parsed = parseSync(file.path, file.text);
  const [error] = parsed.errors;
  if (error !== undefined) throw new Error(`${file.path}: ${error.message}`);
  return parsed.program;
}

/** A parse takes a millisecond and there are a thousand files, each under six rules. */
const known = new WeakMap<SourceFile, TypescriptFacts>();

/** The facts of a file, read once. Throws like `parseTypescript`. */
export function readTypescript(file: SourceFile): TypescriptFacts {
  const facts = known.get(file) ?? collectFacts(file);
  known.set(file, facts);
  return facts;
}

function collectFacts(file: SourceFile): TypescriptFacts {
  const program = parseTypescript(file);
  const lineAt = lineFinder(file.text);
  const facts = {
    imports: [] as ImportEdge[],
    functions: [] as FunctionSpan[],
    anyLines: [] as number[],
    nonNullLines: [] as number[],
    reExportLines: [] as number[],
    privateLines: [] as number[],
  };
  walk(program, undefined, (node, parent) => {
    const line = lineAt(node.start);
    if (node.type === "TSAnyKeyword") facts.anyLines.push(line);
    if (node.type === "TSNonNullExpression") facts.nonNullLines.push(line);
    if (node["accessibility"] === "private" && node["kind"] !== "constructor") {
      facts.privateLines.push(line);
    }
    const specifier = specifierOf(node);
    if (specifier !== undefined) {
      facts.imports.push({ specifier, line });
      if (node.type.startsWith("Export")) facts.reExportLines.push(line);
    }
    if (isFunction(node)) {
      facts.functions.push({
        name: functionName(node, parent),
        line,
        lines: lineAt(node.end) - line + 1,
        markupLines: markupLines(node, lineAt),
        isArgument: parent?.type === "CallExpression",
      });
    }
  });
  return facts;
}

function specifierOf(node: Node): string | undefined {
  const carriers = [
    "ImportDeclaration",
    "ExportNamedDeclaration",
    "ExportAllDeclaration",
    "ImportExpression",
    "TSImportType",
  ];
  if (!carriers.includes(node.type)) return undefined;
  const source = node["source"] ?? node["argument"];
  return isNode(source) && typeof source["value"] === "string" ? source["value"] : undefined;
}

function isFunction(node: Node): boolean {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  );
}

function functionName(node: Node, parent: Node | undefined): string {
  const named = [node["id"], parent?.["id"], parent?.["key"]].find(
    (part) => isNode(part) && typeof part["name"] === "string",
  );
  return isNode(named) ? String(named["name"]) : "(unnamed)";
}

/** Lines of the outermost elements below a node. */
function markupLines(node: Node, lineAt: (offset: number) => number): number {
  let lines = 0;
  const visit = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (value.type === "JSXElement" || value.type === "JSXFragment") {
      lines += lineAt(value.end) - lineAt(value.start) + 1;
    } else {
      for (const child of Object.values(value)) visit(child);
    }
  };
  visit(node);
  return lines;
}

/** Visits every node of a tree, with the node above it. */
export function walk(
  value: unknown,
  parent: Node | undefined,
  visit: (node: Node, parent: Node | undefined) => void,
): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, parent, visit);
    return;
  }
  if (!isNode(value)) return;
  visit(value, parent);
  for (const child of Object.values(value)) {
    if (typeof child === "object" && child !== null) walk(child, value, visit);
  }
}

/** Whether a value is a node of a tree. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Nodes of a list; none for what is no list. */
export function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Name of an identifier; undefined for any other node. */
export function nodeName(value: unknown): string | undefined {
  const name = isNode(value) ? value["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Name of a member or of a key, by a dot, in brackets or in quotes; undefined for one that is computed. */
export function keyName(key: unknown, isComputed = false): string | undefined {
  if (!isNode(key)) return undefined;
  if (typeof key["value"] === "string") return key["value"];
  if (key.type === "TemplateLiteral") return plainText(key["quasis"]);
  const { name } = key;
  return !isComputed && typeof name === "string" ? name : undefined;
}

function plainText(quasis: unknown): string | undefined {
  if (!Array.isArray(quasis) || quasis.length !== 1) return undefined;
  const [only]: readonly unknown[] = quasis;
  const value = isNode(only) ? only["value"] : undefined;
  const isCooked = typeof value === "object" && value !== null && "cooked" in value;
  return isCooked && typeof value.cooked === "string" ? value.cooked : undefined;
}

/** The line of a place in a text. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (const match of text.matchAll(/\n/g)) starts.push(match.index + 1);
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    return next === -1 ? starts.length : next;
  };
}
