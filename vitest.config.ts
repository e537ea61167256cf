/**
 * Test projects. `scripts/suites.ts` decides which of them run and at which size.
 *
 * unit         tests beside the code, milliseconds each
 * contract     one suite run against every implementation of an interface
 * integration  several real parts together: processes, sockets, disks, proofs
 * decoders     what mutated inputs do to every decoder
 * network      real nodes as processes, over lines that fail
 * e2e          a real browser
 * hashes       the pages built twice, in two folders
 */
import { defineConfig } from "vitest/config";

const MINUTE = 60_000;

const project = (name: string, include: string[], testTimeout: number) => ({
  test: {
    name,
    include,
    exclude: ["**/node_modules/**", "**/dist/**"],
    environment: "node",
    testTimeout,
    hookTimeout: Math.max(testTimeout, MINUTE),
  },
});

export default defineConfig({
  test: {
    projects: [
      project(
        "unit",
        [
          "{shared,node-server,web,scripts}/**/*.test.ts",
          "tests/{architecture,bench,vectors}/**/*.test.ts",
        ],
        MINUTE,
      ),
      project("contract", ["tests/contract/**/*.test.ts"], MINUTE),
      project("integration", ["tests/{integration,conform}/**/*.test.ts"], 10 * MINUTE),
      project("decoders", ["tests/fuzz/**/*.test.ts"], MINUTE),
      project("network", ["tests/network/**/*.test.ts"], 10 * MINUTE),
      project("e2e", ["tests/e2e/**/*.test.ts"], 15 * MINUTE),
      project("hashes", ["tests/hashes/**/*.test.ts"], 45 * MINUTE),
    ],
  },
});
