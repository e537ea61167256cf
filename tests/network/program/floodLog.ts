/** Preload module that floods the log: with each SIGUSR2 it logs much more than a pipe's buffer holds, and says when it has. */
import { isMainThread } from "node:worker_threads";
import { createLog } from "@svc/node-server/platform/log/log.ts";

const LINES = 20_000;

if (isMainThread) {
  const log = createLog("debug");
  process.on("SIGUSR2", () => {
    for (let line = 0; line < LINES; line += 1)
      log.warn({ line, fill: "x".repeat(200) }, "a flood");
    process.stdout.write("flooded\n");
  });
}
