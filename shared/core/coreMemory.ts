/**
 * Detects that the core ran out of memory. Rust ends with the same trap as on a defect, so the instance is asked whether its
 * memory can still grow by enough.
 */
import { CORE_LIMITS } from "./coreLimits.ts";

const PAGE_BYTES = 65_536;
/** How engines name it when an instance or a buffer cannot be made at all. */
const NO_MEMORY = /out of memory|could not allocate|allocation failed/i;

/** Those of the builds that this thread has loaded: one or two. */
const memories = new Set<WebAssembly.Memory>();

/** Remembers the memory of an instance, given what its initialisation returned. */
export function noteMemory(exports: unknown): void {
  if (typeof exports !== "object" || exports === null) return;
  const memory: unknown = Reflect.get(exports, "memory");
  if (memory instanceof WebAssembly.Memory) memories.add(memory);
}

/**
 * Whether something that the core threw, or that loading it threw, means that memory is used up. Of an instance that trapped this
 * takes memory, so it must not be used again.
 */
export function meansNoMemory(thrown: unknown): boolean {
  if (thrown instanceof WebAssembly.RuntimeError) return [...memories].some(isUsedUp);
  return thrown instanceof RangeError && NO_MEMORY.test(thrown.message);
}

function isUsedUp(memory: WebAssembly.Memory): boolean {
  try {
    memory.grow(CORE_LIMITS.coreSpareBytes / PAGE_BYTES);
    return false;
  } catch {
    return true;
  }
}
