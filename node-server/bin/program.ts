/**
 * Entry point of `svc` after the choice of sources or build: runs the command, and ends cleanly on a signal, at once on a
 * second one, and cleanly on an uncaught fault.
 */
import { readFileSync } from "node:fs";
import { endOnFault } from "../app/program/endOnFault.ts";
import { EXIT_STATUS } from "../app/program/exitStatus.ts";
import { main } from "../app/main.ts";
import { ignoreClosedOutput } from "../app/program/ignoreClosedOutput.ts";
import { stopOnSignals } from "../app/program/stopOnSignals.ts";
import { stopWithNpx } from "../app/program/stopWithNpx.ts";
import { createLog } from "../platform/log/log.ts";

const ending = new AbortController();
const stop = (): void => ending.abort();
const exit = (status: number): never => process.exit(status);
ignoreClosedOutput(process.stdout, process.stderr);
stopOnSignals(process, { stop, exit, steadyMs: () => performance.now() });
stopWithNpx({
  environment: process.env,
  parent: () => process.ppid,
  firstCommand: () => {
    try {
      return readFileSync("/proc/1/cmdline", "utf8");
    } catch {
      return "";
    }
  },
  every: (ms, look) => {
    const timer = setInterval(look, ms).unref();
    return () => clearInterval(timer);
  },
  stop,
});
const faults = endOnFault(process, { log: createLog("error"), stop, exit });
const status = await main(process.argv.slice(2), ending.signal);
process.exitCode = faults.hasFailed ? EXIT_STATUS.fault : status;
