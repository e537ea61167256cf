/**
 * Demo program, `npm run -s demo`: a private payment from one wallet to another on a fresh network.
 *
 * Exit status 0 only if the second wallet decrypted exactly the amount and the memo from the chain; otherwise 1 and a
 * sentence with its code. Progress goes to standard error.
 */
import { demoMain } from "./demoMain.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
}

process.exitCode = await demoMain(process.argv.slice(2), {
  print: (text) => void process.stdout.write(`${text}\n`),
  say: (text) => void process.stderr.write(`demo: ${text}\n`),
  signal: stop.signal,
});
