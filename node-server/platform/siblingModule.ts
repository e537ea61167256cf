/** Where a thread's or a process's own module lies: beside the one that starts it, in the form in which that one was loaded. */
import { extname } from "node:path";

/**
 * The module called `name` (no extension) in the folder of the module at `base`, an `import.meta.url`. A source finds a source,
 * and a module of the built program (`builtProgram.ts`), where all entries lie in one folder, finds a built one.
 */
export function siblingModule(name: string, base: string): URL {
  return new URL(name + extname(new URL(base).pathname), base);
}
