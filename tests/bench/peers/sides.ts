/** Launcher of our side of a comparison: our WebAssembly in Node, in a process of its own. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LineProcess } from "./lineProcess.ts";

/** The root folder of this checkout. */
export const HERE = fileURLToPath(new URL("../../../", import.meta.url));

/** The last core, which the system's own work uses least; both sides run on it. */
export function oneCore(): string {
  return String(availableParallelism() - 1);
}

/** The last `count` cores, for work that is shared. */
export function lastCores(count: number): string {
  const cores = availableParallelism();
  return `${Math.max(0, cores - count)}-${cores - 1}`;
}

/** Starts our side, of another checkout where its root is named. */
export function startOurs(cores: string, signal: AbortSignal, checkout = HERE): LineProcess {
  return startProgram("tests/bench/peers/oursProgram.ts", { cores, signal, checkout });
}

/** Starts the engine over a store on disk, for benchmarks of whole chains. */
export function startLoader(cores: string, signal: AbortSignal): LineProcess {
  return startProgram("tests/bench/chain/loadProgram.ts", { cores, signal, checkout: HERE });
}

/** Starts the gateway's measured program. */
export function startGatewayProgram(cores: string, signal: AbortSignal): LineProcess {
  return startProgram("tests/bench/gateway/gatewayProgram.ts", { cores, signal, checkout: HERE });
}

type Start = { readonly cores: string; readonly signal: AbortSignal; readonly checkout: string };

/** Through the checkout's own starter, which takes its own Node. */
function startProgram(file: string, { cores, signal, checkout }: Start): LineProcess {
  const args = [join(checkout, "scripts", "run.sh"), file];
  return new LineProcess({ command: "sh", args, cores, signal });
}
