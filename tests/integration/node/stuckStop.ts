/**
 * Preload module for a shutdown that hangs: a closed server never reports that it is closed, so that a stop lasts for ever.
 * The program's steady clock stands still from the first SIGINT on; SIGUSR2 moves it on by a minute.
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
  let standsAtMs: number | null = null;
  performance.now = () => standsAtMs ?? real();
  // It is heard before the program hears it.
  process.prependListener("SIGINT", () => void (standsAtMs ??= real()));
  process.on("SIGUSR2", () => {
    standsAtMs = performance.now() + MINUTE_MS;
    process.stdout.write("moved\n");
  });
}
