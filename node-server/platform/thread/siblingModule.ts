/**
 * Resolves the entry module of a thread or child process, in the form in which the starting module was loaded: source or built
 * program.
 */
import { basename, extname } from "node:path";

/**
 * The URL of the module at `path` (no extension) from the folder of the module at `base`, an `import.meta.url`. A source finds
 * a source, and a module of the built program (`builtProgram.ts`), where all entries lie in one folder, finds a built one.
 */
export function siblingModule(path: string, base: string): URL {
  const extension = extname(new URL(base).pathname);
  return new URL((extension === ".ts" ? path : basename(path)) + extension, base);
}
