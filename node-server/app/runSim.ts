/** The command `svc sim`: the simulated network, a native program of the core that cargo builds when needed. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../platform/runProgram.ts";
import type { CommandContext } from "./runNode.ts";

const CORE = fileURLToPath(new URL("../../wasm-core", import.meta.url));
const CARGO = ["run", "--quiet", "--profile", "sim", "--package", "svc-sim", "--"];

/** Hands the arguments on; without any it shows what there is. Returns the exit status. */
export async function runSim({ args, print, signal }: CommandContext): Promise<number> {
  const status = await runProgram("cargo", [...CARGO, ...withFolder(args)], {
    folder: CORE,
    signal,
  });
  if (status !== null) return status;
  print("svc sim needs cargo, which is not here; from a checkout, npm run setup installs it");
  return 1;
}

/** Cargo runs where the toolchain is named, so the folder of `--dir` is made independent of that. */
function withFolder(args: readonly string[]): string[] {
  return args.map((arg, index) => (args[index - 1] === "--dir" ? resolve(arg) : arg));
}
