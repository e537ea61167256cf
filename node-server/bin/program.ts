/** What `svc` does: it ends cleanly on a signal, at once on a second one, and cleanly on a fault that nothing caught. */
import { endOnFault } from "../app/endOnFault.ts";
import { EXIT_STATUS } from "../app/exitStatus.ts";
import { main } from "../app/main.ts";
import { outliveOutput } from "../app/outliveOutput.ts";
import { stopOnSignals } from "../app/stopOnSignals.ts";
import { createLog } from "../platform/log.ts";

const ending = new AbortController();
const stop = (): void => ending.abort();
const exit = (status: number): never => process.exit(status);
outliveOutput(process.stdout, process.stderr);
stopOnSignals(process, { stop, exit, steadyMs: () => performance.now() });
const faults = endOnFault(process, { log: createLog("error"), stop, exit });
const status = await main(process.argv.slice(2), ending.signal);
process.exitCode = faults.hasFailed ? EXIT_STATUS.fault : status;
