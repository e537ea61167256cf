/** The command `svc sim`: the simulated network, a native program of the core that cargo builds when needed. */
import { fileURLToPath } from "node:url";
import { runProgram } from "../platform/runProgram.ts";
import type { CommandContext } from "./runNode.ts";
import { signalStatus } from "./stopOnSignals.ts";

const MANIFEST = fileURLToPath(new URL("../../wasm-core/Cargo.toml", import.meta.url));
const CARGO = ["run", "--quiet", "--manifest-path", MANIFEST, "-p", "svc-sim"];

/** Hands the arguments on; without any it shows what there is. Returns the exit status, 130 after a signal. */
export async function runSim({ args, print, signal }: CommandContext): Promise<number> {
  const status = await runProgram("cargo", [...CARGO, "--", ...args], signal);
  if (signal.aborted) return signalStatus("SIGINT");
  if (status !== null) return status;
  print("svc sim needs cargo, which is not here; from a checkout, npm run setup installs it");
  return 1;
}
