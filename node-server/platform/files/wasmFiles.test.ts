import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, it, vi } from "vitest";

// The build is loaded anew for each test: other files of the same process have loaded it.
beforeEach(() => void vi.resetModules());

it("the core draws the keys of its maps from the system's randomness when it is loaded", async () => {
  const { loadCoreFile } = await import("./wasmFiles.ts");
  const drawn = vi.spyOn(globalThis.crypto, "getRandomValues");
  await loadCoreFile();
  // Nothing was asked of it yet. In WebAssembly the standard library has no randomness of its own.
  const lengths = drawn.mock.calls.map(([view]) => view?.byteLength);
  expect(lengths).toEqual([32]);
});

it("nothing of the build's bytes is kept once it is loaded", async () => {
  const { loadCoreFile } = await import("./wasmFiles.ts");
  // What goes in the meantime would hide what comes.
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  const { arrayBuffers } = process.memoryUsage();
  await loadCoreFile();
  // The file has three million bytes; what else is read has thousands.
  expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(1_000_000);
});
