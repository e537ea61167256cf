/** Calls into WebAssembly, with exceptions and traps translated into errors of the project. */
import { isOfClass } from "../base/codeClasses.ts";
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

/** Translates anything the core threw into an `SvcError`. */
export function coreError(thrown: unknown): SvcError {
  if (meansNoMemory(thrown)) return new SvcError("engine/out-of-memory", {}, thrown);
  if (thrown instanceof WebAssembly.RuntimeError) {
    return new SvcError("engine/panic", { message: thrown.message }, thrown);
  }
  return ofTheStore(SvcError.from(typeof thrown === "string" ? new Error(thrown) : thrown));
}

/** An error that the host's store threw comes back as the reason of the core's own: it is the one that tells what is wrong. */
function ofTheStore(error: SvcError): SvcError {
  const { reason } = error.data;
  if (!error.code.startsWith("store/") || reason?.startsWith("{") !== true) return error;
  const inner = SvcError.from(new Error(reason));
  return inner.code === "internal/unexpected" ? error : inner;
}

/**
 * Whether an error means that the instance that threw it may no longer be used: its memory is wrong, or does not agree with the
 * store.
 */
export function isFatal(error: SvcError): boolean {
  return isOfClass(error, "fatal");
}
