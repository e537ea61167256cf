/**
 * Preload module that floods the log: with each SIGUSR2 it logs much more than a pipe's buffer holds, and says when it has. With each
 * SIGWINCH it writes how often the main thread's event loop has gone round to the file `APPDIR.rounds`, one line each time: the
 * outputs may have no reader.
 */
import { appendFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import { createLog } from "@svc/node-server/platform/log/log.ts";

const LINES = 20_000;

if (isMainThread) {
  const log = createLog("debug");
  const appdir = process.argv.find((word) => word.startsWith("--appdir="))?.slice(9) ?? "";
  process.on("SIGUSR2", () => {
    for (let line = 0; line < LINES; line += 1)
      log.warn({ line, fill: "x".repeat(200) }, "a flood");
    process.stdout.write("flooded\n");
  });
  process.on("SIGWINCH", () => {
    appendFileSync(`${appdir}.rounds`, `${performance.nodeTiming.uvMetricsInfo.loopCount}\n`);
  });
}
