/**
 * Memory limit for WebAssembly modules: rewrites a module so that its memory may grow to a given size only, as on a machine
 * that has no more.
 */

const MEMORY_SECTION = 5;
const PAGE_BYTES = 65_536;

/** A module with its maximum memory set to `maxBytes`, but never below its initial memory. */
export function boundedMemory(wasm: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  let at = 8;
  while (at < wasm.length) {
    const id = wasm[at];
    const [size, body] = readNumber(wasm, at + 1);
    if (id === MEMORY_SECTION) {
      const [minPages] = readNumber(wasm, body + 2);
      const pages = Math.max(minPages, Math.ceil(maxBytes / PAGE_BYTES));
      // One memory, with a least and a most.
      const changed = [1, 1, ...numberBytes(minPages), ...numberBytes(pages)];
      const section = [MEMORY_SECTION, ...numberBytes(changed.length), ...changed];
      return new Uint8Array([...wasm.subarray(0, at), ...section, ...wasm.subarray(body + size)]);
    }
    at = body + size;
  }
  throw new Error("a build without a memory");
}

/** The initial memory of a module, in bytes. */
export function firstMemory(wasm: Uint8Array): number {
  for (let at = 8; at < wasm.length;) {
    const [size, body] = readNumber(wasm, at + 1);
    if (wasm[at] === MEMORY_SECTION) return readNumber(wasm, body + 2)[0] * PAGE_BYTES;
    at = body + size;
  }
  throw new Error("a build without a memory");
}

/** LEB128: the number, and where the bytes behind it begin. */
function readNumber(bytes: Uint8Array, from: number): [number, number] {
  let [value, shift, at] = [0, 0, from];
  for (;;) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    at += 1;
    shift += 7;
    if (byte < 0x80) return [value, at];
  }
}

function numberBytes(value: number): number[] {
  const low = value % 128;
  return value < 128 ? [low] : [low | 0x80, ...numberBytes(Math.floor(value / 128))];
}
