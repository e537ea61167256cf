/** The built core stops at a sum that does not fit: the messages of the checks are in it, and those are no dead code. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const core = readFileSync(new URL("../../../wasm-core/pkg/core/core_bg.wasm", import.meta.url));

test.each(["add", "subtract", "multiply"])("the core checks what it has to %s", (operation) => {
  expect(core.includes(`attempt to ${operation} with overflow`)).toBe(true);
});
