/**
 * Test projects. `scripts/suites.ts` decides which of them run and at which size.
 *
 * unit         tests beside the code, milliseconds each; files share a process
 * architecture rules of the source tree, which read all of it
 * processes    tests beside the code that start programs, or wait for sockets, disks or git
 * unitAlone    those of them that measure their process
 * contract     one suite run against every implementation of an interface
 * conform      the engine against recorded chains
 * flows        one whole flow for each program, over real parts
 * integration  several real parts together: processes, sockets, disks, proofs
 * decoders     what mutated inputs do to every decoder
 * network      real nodes as processes, over lines that fail
 * e2e          a real browser
 * hashes       the pages built twice, in two folders
 * plugins      plugins for shops, in their own languages
 * package      the npm package, installed into an empty project
 */
import { defineConfig } from "vitest/config";
import { FLOW_FILES } from "./scripts/suites.ts";
import { HANG_MS, LONG_HANG_MS, STEP_HANG_MS } from "./tests/testkit/hangMs.ts";

/** What a file beside it leaves behind would change what these see. */
const ALONE = [
  "node-server/p2p/link/messageBounds.test.ts",
  "node-server/platform/thread/thread.test.ts",
  "node-server/platform/files/wasmFiles.test.ts",
  "tests/bench/chain/headerLoader.test.ts",
];

/** Whose files share a process for each worker. */
const SHARING: ReadonlySet<string> = new Set([
  "unit",
  "contract",
  "flows",
  "integration",
  "network",
  "e2e",
]);

/** Of tests that start programs, beside files of a unit's. */
const PROCESSES = "**/*.process.test.ts";

/** Files that the globs of a project hold and that another project has. */
function elsewhere(name: string): readonly string[] {
  if (name === "unit") return [...ALONE, PROCESSES];
  return name === "flows" ? [] : FLOW_FILES;
}

const project = (name: string, include: string[], testTimeout = HANG_MS) => ({
  test: {
    name,
    include,
    // What files import is read once in each worker, the core with it. Mocks and spies end with each file.
    isolate: !SHARING.has(name),
    exclude: ["**/node_modules/**", "**/dist/**", ...elsewhere(name)],
    environment: "node",
    // It fails a file of unit tests that takes too much of the processor.
    setupFiles: name.startsWith("unit") ? ["scripts/units/measureFile.ts"] : [],
    testTimeout,
    hookTimeout: testTimeout,
    // Each look asks a page or a node for something.
    expect: { poll: { interval: 200, timeout: STEP_HANG_MS } },
  },
});

export default defineConfig({
  test: {
    projects: [
      project("unit", [
        "{shared,node-server,web,scripts}/**/*.test.ts",
        "tests/{bench,invoice,signer,testkit,vectors}/**/*.test.ts",
      ]),
      project("unitAlone", ALONE),
      project("architecture", ["tests/architecture/**/*.test.ts"]),
      project("processes", [`{shared,node-server,web,scripts}/${PROCESSES}`]),
      project("contract", ["tests/contract/**/*.test.ts"]),
      project("conform", ["tests/conform/**/*.test.ts"]),
      project("flows", [...FLOW_FILES]),
      project("integration", ["tests/integration/**/*.test.ts"]),
      project("decoders", ["tests/fuzz/**/*.test.ts"]),
      project("network", ["tests/network/**/*.test.ts"]),
      project("e2e", ["tests/e2e/**/*.test.ts"]),
      project("hashes", ["tests/hashes/**/*.test.ts"], LONG_HANG_MS),
      project("plugins", ["tests/plugins/**/*.test.ts"]),
      project("package", ["tests/package/**/*.test.ts"]),
    ],
  },
});
