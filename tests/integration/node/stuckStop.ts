/**
 * Preload module for a shutdown that hangs: a closed server never reports that it is closed, so that a stop lasts for ever;
 * SIGUSR2 moves the program's clock on by a minute.
 */
import { Server } from "node:http";
import { isMainThread } from "node:worker_threads";

const MINUTE_MS = 60_000;

if (isMainThread) {
  Server.prototype.close = function close(this: Server): Server {
    process.stdout.write("stuck\n");
    return this;
  };
  const real = performance.now.bind(performance);
  let movedMs = 0;
  performance.now = () => real() + movedMs;
  process.on("SIGUSR2", () => {
    movedMs += MINUTE_MS;
    process.stdout.write("moved\n");
  });
}
