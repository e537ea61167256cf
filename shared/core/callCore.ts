/** Calls into WebAssembly with errors of the project coming out. */
import { SvcError } from "../base/svcError.ts";
import { meansNoMemory } from "./coreMemory.ts";

/**
 * Runs a call of the core. A thrown JSON message becomes its `SvcError`; a trap becomes `engine/panic`, or
 * `engine/out-of-memory`, after which the instance must not be used again.
 */
export function callCore<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw coreError(thrown);
  }
}

/** The `SvcError` behind anything the core threw. */
export function coreError(thrown: unknown): SvcError {
  if (meansNoMemory(thrown)) return new SvcError("engine/out-of-memory", {}, thrown);
  if (thrown instanceof WebAssembly.RuntimeError) {
    return new SvcError("engine/panic", { message: thrown.message }, thrown);
  }
  if (typeof thrown === "string") return SvcError.from(new Error(thrown));
  return SvcError.from(thrown);
}

/** Whether the instance that threw this may no longer be used: its memory is wrong, or does not agree with the store. */
export function isFatal(error: SvcError): boolean {
  return error.code.startsWith("store/") || FATAL.has(error.code);
}

const FATAL: ReadonlySet<string> = new Set([
  "engine/panic",
  "engine/failed",
  "engine/out-of-memory",
  "engine/overflow",
  "internal/unexpected",
  "prove/check-failed",
]);
