/** Source tree reader of the architecture rules: sources and documents, nothing built or fetched. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file by its path from the root, with its text. */
export type SourceFile = { readonly path: string; readonly text: string };

/** A broken rule: where, and what is wrong. */
export type Violation = { readonly path: string; readonly message: string };

/** The repository's root folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const SKIPPED_FOLDERS = new Set([
  ".cache",
  ".data",
  ".git",
  ".wrangler",
  "dist",
  "node_modules",
  "target",
  "test-results",
]);
const SKIPPED_PATHS = new Set(["wasm-core/pkg"]);
const READ_ENDINGS = /\.(ts|tsx|js|php|rs|toml|json|md|css|html|sh|proto)$/;
const DATA_FOLDERS = /^tests\/(vectors|fixtures)\//;

/** Every source file and document; test data is left out. */
export function readSourceTree(): SourceFile[] {
  const files: SourceFile[] = [];
  const visit = (folder: string) => {
    for (const entry of readdirSync(ROOT + folder, { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name) && !SKIPPED_PATHS.has(path)) visit(path);
      } else if (READ_ENDINGS.test(entry.name) && !isData(path)) {
        files.push({ path, text: readFileSync(ROOT + path, "utf8") });
      }
    }
  };
  visit("");
  return files;
}

function isData(path: string): boolean {
  return DATA_FOLDERS.test(path) && path.endsWith(".json");
}

/** TypeScript that is ours to read: not generated. */
export function isTypescript(path: string): boolean {
  return /\.tsx?$/.test(path) && !path.endsWith(".d.ts") && !isGenerated(path);
}

/** Rust that is ours to read: not generated. */
export function isRust(path: string): boolean {
  return path.endsWith(".rs") && !isGenerated(path);
}

/** Code written by a generator, and tables that are one list. */
export function isGenerated(path: string): boolean {
  return path.includes("/generated/") || path === "wasm-core/crates/codec/src/code.rs";
}

/** Code that only tests run. */
export function isTest(path: string): boolean {
  return (
    /\.test\.tsx?$/.test(path) ||
    /(^|\/)vitest\.config\.ts$/.test(path) ||
    path.startsWith("tests/") ||
    /^wasm-core\/crates\/[^/]+\/(tests|benches|examples)\//.test(path) ||
    /(^|\/)(tests|test_[a-z_]+)\.rs$/.test(path)
  );
}
