/** Processes that do nothing but take their share of the processors, beside a test that must not mind. */
import { spawn } from "node:child_process";

/** A loop that ends with the process that started it, however that ended. */
const LOOP = "const parent = process.ppid; while (process.ppid === parent);";

/** Starts so many of them. Returns what ends them. */
export function startBusyProcesses(count: number): () => void {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", LOOP], { stdio: "ignore" }),
  );
  return () => {
    for (const child of children) child.kill("SIGKILL");
  };
}
