import { expect, it, vi } from "vitest";
import { loadCoreFile } from "./wasmFiles.ts";

it("the core draws the keys of its maps from the system's randomness when it is loaded", async () => {
  const drawn = vi.spyOn(globalThis.crypto, "getRandomValues");
  await loadCoreFile();
  // Nothing was asked of it yet. In WebAssembly the standard library has no randomness of its own.
  const lengths = drawn.mock.calls.map(([view]) => view?.byteLength);
  expect(lengths).toEqual([32]);
});
