/** The command `svc sim`: runs the network simulation, a native program of the core that cargo builds when needed. */
import { fileURLToPath } from "node:url";
import { PROJECT_ROOT } from "../../platform/projectRoot.ts";
import { runProgram } from "../../platform/thread/runProgram.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { signalStatus } from "../program/stopOnSignals.ts";

const MANIFEST = fileURLToPath(new URL("wasm-core/Cargo.toml", PROJECT_ROOT));
const CARGO = ["run", "--quiet", "--manifest-path", MANIFEST, "-p", "svc-sim"];

/** Passes the arguments on; without any it shows what there is. Returns the exit status, 130 after a signal. */
export async function runSim({ args, print, signal }: CommandContext): Promise<number> {
  const status = await runProgram("cargo", [...CARGO, "--", ...args], signal);
  if (signal.aborted) return signalStatus("SIGINT");
  if (status !== null) return status;
  print("svc sim needs cargo, which is not here; from a checkout, npm run setup installs it");
  return 1;
}
