/** Entry point of the child process in which `svc verify` checks a database. The process ends with its parent. */
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { exitStatusOf } from "../program/exitStatus.ts";
import { ignoreClosedOutput } from "../program/ignoreClosedOutput.ts";
import { STOP_SIGNALS } from "../program/stopOnSignals.ts";
import { verifyHere } from "./verifyHere.ts";

ignoreClosedOutput(process.stdout, process.stderr);
const stop = new AbortController();
// Ctrl-C comes from the terminal and once more from the parent.
for (const name of STOP_SIGNALS) process.on(name, () => stop.abort());
process.on("disconnect", () => stop.abort());

try {
  process.exitCode = await verifyHere({
    args: process.argv.slice(2),
    environment: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    signal: stop.signal,
  });
} catch (thrown) {
  const error = SvcError.from(thrown);
  process.stderr.write(`svc verify: ${sentenceOf(error)} [${error.code}]\n`);
  process.exitCode = exitStatusOf(error);
}
if (process.connected) process.disconnect();
