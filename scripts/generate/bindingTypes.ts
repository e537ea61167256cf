/** Parser of the type declarations that wasm-bindgen writes for a build of the core: its functions, classes and their comments. */

/** A parameter: its name in JavaScript's manner, and its type. */
export type BoundParameter = { readonly name: string; readonly type: string };

/** A function, a method, or the constructor of a class (`new`). */
export type BoundCall = {
  readonly name: string;
  /** The doc comment, its lines joined. */
  readonly about: string;
  readonly parameters: readonly BoundParameter[];
  readonly answer: string;
};

/** A class whose objects live in WebAssembly memory. */
export type BoundClass = {
  readonly name: string;
  readonly about: string;
  readonly calls: readonly BoundCall[];
};

/** All that a build exports, in the order of the declarations. */
export type BoundModule = {
  readonly classes: readonly BoundClass[];
  readonly functions: readonly BoundCall[];
};

/** Types that the core knows as mere objects of the host, by the name of the parameter. */
const HOST_TYPES: Readonly<Record<string, string>> = {
  store: "HostStore",
  stopwatch: "HostStopwatch",
  progress: "(stage: string, fraction: number) => void",
};
/** The generated start function runs by itself, `initSync` is the loader's. */
const NOT_CALLS = new Set(["start", "initSync"]);
const CALL = /^(?:export function )?(\w+)\(([^)]*)\)(?:: (.+))?;$/;

/** Reads a declaration file. Throws for a type that has no meaning here. */
export function readDeclarations(source: string): BoundModule {
  const classes: BoundClass[] = [];
  const functions: BoundCall[] = [];
  let calls: BoundCall[] | null = null;
  let comment: string[] = [];
  for (const line of source.split("\n").map((text) => text.trim())) {
    if (line.startsWith("/**")) comment = [];
    else if (line.startsWith("* ")) comment.push(line.slice(2));
    const about = comment.join(" ").replaceAll(/`[a-z]+(?:_[a-z]+)+`/g, (name) => camel(name));
    const [, name] = /^export class (\w+) \{$/.exec(line) ?? [];
    if (name !== undefined) {
      calls = [];
      classes.push({ name, about, calls });
    }
    if (line === "}") calls = null;
    const call = readCall(line, about);
    if (call !== null) (calls ?? (line.startsWith("export") ? functions : [])).push(call);
    if (line.endsWith(";") || line.endsWith("{")) comment = [];
  }
  return { classes, functions };
}

function readCall(line: string, about: string): BoundCall | null {
  const [, name, list = "", answer = ""] = CALL.exec(line) ?? [];
  if (name === undefined || name === "free" || NOT_CALLS.has(name)) return null;
  const parameters = list === "" ? [] : list.split(", ").map(readParameter);
  if (name === "constructor") return { name: "new", about, parameters, answer: "" };
  return { name, about, parameters, answer: classType(answer) };
}

function readParameter(text: string): BoundParameter {
  const [snake = "", type = ""] = text.split(/: (.*)/s);
  const name = camel(snake);
  if (type !== "any" && type !== "Function") return { name, type: parameterType(type) };
  const host = HOST_TYPES[name];
  if (host === undefined) throw new Error(`no type for the parameter ${name}: ${type}`);
  return { name, type: host };
}

function camel(snake: string): string {
  return snake.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function parameterType(type: string): string {
  const plain = type.replace(" | number[]", "").replace(" | null", "");
  return plain.endsWith("[]") ? `readonly ${plain}` : classType(plain);
}

/** Interfaces of classes are called `Raw…`: what their texts mean is known above. */
function classType(type: string): string {
  return type.replaceAll(/\b(?!Uint\d+Array)([A-Z]\w*)\b/g, "Raw$1");
}
