import { expect, it, vi } from "vitest";
import { loadCoreFile } from "./wasmFiles.ts";

it("the core draws the keys of its maps from the system's randomness when it is loaded", async () => {
  const drawn = vi.spyOn(globalThis.crypto, "getRandomValues");
  await loadCoreFile();
  // Nothing was asked of it yet. In WebAssembly the standard library has no randomness of its own.
  const lengths = drawn.mock.calls.map(([view]) => view?.byteLength);
  expect(lengths).toEqual([32]);
});

it("nothing of the build's bytes is kept once it is loaded", async () => {
  const { arrayBuffers } = process.memoryUsage();
  await loadCoreFile();
  // The file has three million bytes; what else is read has thousands.
  expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(1_000_000);
});
