#!/usr/bin/env node
/** The program `svc`: ends cleanly on Ctrl-C, at once on the second one. */
import { main } from "../app/main.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
}

process.exitCode = await main(process.argv.slice(2), stop.signal);
