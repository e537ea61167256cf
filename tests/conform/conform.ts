/**
 * Conformance test program, `npm run -s conform -- --dir DIR [--json]`: the engine against a recorded chain. Exit status 0
 * when nothing differs.
 */
import { parseArgs } from "node:util";
import { loadCoreFile, loadProverFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { Corpus } from "./corpus.ts";
import { runConformance } from "./runConformance.ts";

const { values } = parseArgs({
  options: { dir: { type: "string" }, json: { type: "boolean", default: false } },
});

if (values.dir === undefined) {
  process.stderr.write("usage: npm run -s conform -- --dir DIR [--json]\n");
  process.exitCode = 2;
} else {
  const parts = {
    core: await loadCoreFile(),
    verifier: async () => new (await loadProverFile()).Verifier(),
    progress: (blocks: number) => void process.stderr.write(`${blocks} blocks\r`),
  };
  const { differences, ...report } = await runConformance(new Corpus(values.dir), parts, true);
  for (const difference of differences) process.stderr.write(`${difference}\n`);
  process.stdout.write(`${values.json ? JSON.stringify(report) : describe(report)}\n`);
  process.exitCode = report.mismatches === 0 ? 0 : 1;
}

function describe(report: Readonly<Record<string, number>>): string {
  return Object.entries(report)
    .map(([name, value]) => `${name} ${value}`)
    .join("\n");
}
