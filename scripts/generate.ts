/** Runs the code generators, which write every generated file anew: `npm run generate`. `--check` only reports stale ones. */
import { runCommand } from "./lib/command.ts";

/** The generators, in the order in which they may depend on each other. */
const GENERATORS = [
  "scripts/generate/generateBinding.ts",
  "scripts/generate/generateCodes.ts",
  "scripts/generate/generateGatewayApi.ts",
  "scripts/generate/generateLimits.ts",
  "scripts/generate/generateProgramPage.ts",
  "scripts/generate/generateProtocol.ts",
  "scripts/generate/generateWalletApi.ts",
];

let failed = 0;
for (const generator of GENERATORS) {
  const args = [generator, ...process.argv.slice(2)];
  const result = await runCommand(process.execPath, args, { show: true });
  if (result.status !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
