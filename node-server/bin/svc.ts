#!/usr/bin/env node
/** The program `svc`: ends cleanly on Ctrl-C, at once on the second one, and cleanly on a fault that nothing caught. */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { endOnFault } from "../app/endOnFault.ts";
import { EXIT_STATUS } from "../app/exitStatus.ts";
import { main } from "../app/main.ts";
import { createLog } from "../platform/log.ts";

const stop = new AbortController();
let stoppingSince = 0;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // npm and the terminal both pass one Ctrl-C on: only a later one is a second one.
    if (stop.signal.aborted && performance.now() - stoppingSince > LIMITS.secondSignalMs) {
      process.exit(EXIT_STATUS.interrupted);
    }
    if (!stop.signal.aborted) stoppingSince = performance.now();
    stop.abort();
  });
}

const faults = endOnFault(process, {
  log: createLog("error"),
  stop: () => stop.abort(),
  exit: (status) => process.exit(status),
});
const status = await main(process.argv.slice(2), stop.signal);
process.exitCode = faults.hasFailed ? EXIT_STATUS.fault : status;
