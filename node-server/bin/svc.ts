#!/usr/bin/env node
/** The program `svc`: ends cleanly on Ctrl-C, at once on the second one. */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { main } from "../app/main.ts";

const stop = new AbortController();
let stoppingSince = 0;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // npm and the terminal both pass one Ctrl-C on: only a later one is a second one.
    if (stop.signal.aborted && performance.now() - stoppingSince > LIMITS.secondSignalMs) {
      process.exit(130);
    }
    if (!stop.signal.aborted) stoppingSince = performance.now();
    stop.abort();
  });
}

process.exitCode = await main(process.argv.slice(2), stop.signal);
