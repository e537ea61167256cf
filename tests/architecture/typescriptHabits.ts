/** Architecture rules of the TypeScript code that the type checker alone does not enforce. */
import { basename } from "node:path";
import { isTest, type SourceFile, type Violation } from "./sourceTree.ts";
import { readTypescript } from "./typescriptFile.ts";

const PURE_AREA = "shared/";
const EDGE_AREA = "edge/";
/** Plugins run in the shops that they are for, under Node. */
const PLUGIN_AREA = "edge/plugin/";
const TIMERS = /\b(setTimeout|setInterval|setImmediate|Date\.now|performance\.now|Math\.random)\b/;

/** No `any`, no non-null `!`. */
export function typeHoleViolations(file: SourceFile): Violation[] {
  const { anyLines, nonNullLines } = readTypescript(file);
  return [
    ...anyLines.map((line) => ({ path: `${file.path}:${line}`, message: "type any" })),
    ...nonNullLines.map((line) => ({ path: `${file.path}:${line}`, message: "non-null !" })),
  ];
}

/** No barrels: nobody re-exports what another file owns. */
export function barrelViolations(file: SourceFile): Violation[] {
  const found = readTypescript(file).reExportLines.map((line) => ({
    path: `${file.path}:${line}`,
    message: "re-export; import the file that owns it",
  }));
  if (/^index\.tsx?$/.test(basename(file.path))) {
    found.push({ path: file.path, message: "index file; name it after what it exports" });
  }
  return found;
}

/** Relative imports name the file they mean, ending included. */
export function importFormViolations(file: SourceFile): Violation[] {
  return readTypescript(file)
    .imports.filter(({ specifier }) => /^(\.|@svc\/)/.test(specifier))
    .filter(({ specifier }) => !/\.(ts|tsx|js|json|css|wasm|svg|bin)(\?.*)?$/.test(specifier))
    .map(({ specifier, line }) => ({
      path: `${file.path}:${line}`,
      message: `import without a file ending: ${specifier}`,
    }));
}

/** Violations of purity in `shared`, whose code runs anywhere: no Node modules, no clock, no randomness, no timers. */
export function purityViolations(file: SourceFile): Violation[] {
  if (!file.path.startsWith(PURE_AREA) || isTest(file.path)) return [];
  const found = readTypescript(file)
    .imports.filter(({ specifier }) => specifier.startsWith("node:"))
    .map(({ specifier, line }) => ({
      path: `${file.path}:${line}`,
      message: `${specifier} in code that browsers run`,
    }));
  file.text.split("\n").forEach((text, index) => {
    const effect = TIMERS.exec(text.replace(/^\s*(\/\/|\*|\/\*).*$/, ""))?.[1];
    if (effect !== undefined) {
      found.push({ path: `${file.path}:${index + 1}`, message: `${effect} in pure code` });
    }
  });
  return found;
}

/**
 * Imports that a Worker does not have, and those that only a Worker has: modules of Node lie behind a flag there, modules of the
 * platform are nowhere else.
 */
export function platformViolations(file: SourceFile): Violation[] {
  const isEdge =
    file.path.startsWith(EDGE_AREA) &&
    !file.path.startsWith(PLUGIN_AREA) &&
    !/^edge\/\w+\.config\.ts$/.test(file.path);
  const foreign = isEdge ? "node:" : "cloudflare:";
  return readTypescript(file)
    .imports.filter(({ specifier }) => specifier.startsWith(foreign))
    .map(({ specifier, line }) => ({
      path: `${file.path}:${line}`,
      message: isEdge ? `${specifier} in code of the edge` : `${specifier} outside of the edge`,
    }));
}

/** Packages are used where a manifest declares them. `declared` holds the names open to the file. */
export function undeclaredViolations(file: SourceFile, declared: ReadonlySet<string>): Violation[] {
  return readTypescript(file)
    .imports.filter(({ specifier }) => !/^(\.|node:|cloudflare:|@svc\/|virtual:|#)/.test(specifier))
    .map(({ specifier, line }) => ({ name: packageOf(specifier), line }))
    .filter(({ name }) => !declared.has(name))
    .map(({ name, line }) => ({
      path: `${file.path}:${line}`,
      message: `${name} is not a dependency of this workspace`,
    }));
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
