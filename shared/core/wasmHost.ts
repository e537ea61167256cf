/**
 * Types of what a host and the WebAssembly builds hand each other (docs/formats.md 3). Byte strings handed out are the caller's
 * own; 64-bit numbers are bigint.
 */

/** The source of a WebAssembly build: its bytes, or a module compiled elsewhere and posted to this thread. */
export type WasmSource = Uint8Array<ArrayBuffer> | ArrayBuffer | WebAssembly.Module;

/** An object that lives in WebAssembly memory and is given back with `free`. */
export interface WasmObject {
  /** Gives the memory back. The object must not be used afterwards. */
  free(): void;
}

/** The store that the engine reads and writes through; all calls are synchronous (docs/formats.md 3.4). */
export interface HostStore {
  /** The value of a key. */
  get(table: number, key: Uint8Array): Uint8Array | undefined;
  /** Pairs between two keys, the upper one exclusive. */
  range(
    table: number,
    from: Uint8Array,
    to: Uint8Array,
    limit: number,
    reverse: boolean,
  ): Uint8Array;
  /** Writes a batch; durable on return. */
  commit(batch: Uint8Array): void;
}

/**
 * A profiler that the engine tells what it spent the time since the last call on: 0 rules, 1 proof of work, 2 note tree, 3
 * store.
 */
export interface HostStopwatch {
  /** Ends a span of time. */
  lap(part: number): void;
}
