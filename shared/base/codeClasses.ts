/** Classes of error codes: what several have in common for whoever meets one of them (`wasm-core/codes.json`). */
import { CODES_WITH_CLASSES, type CodeClass } from "./generated/codes.ts";

const classes: ReadonlyMap<string, readonly CodeClass[]> = new Map(
  Object.entries(CODES_WITH_CLASSES),
);

/** Whether an error, or an outcome with its code, is of a class. */
export function isOfClass({ code }: { readonly code: string }, name: CodeClass): boolean {
  return classes.get(code)?.includes(name) === true;
}
