/**
 * Signal handling: Ctrl-C and its like as an `AbortSignal`, for programs that have something to end before they end
 * themselves.
 */
import { INTERRUPTED } from "./command.ts";

/** Aborts with the first SIGINT, SIGTERM or SIGHUP of this process. Whoever asks twice waits for nothing. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED);
      console.log(`\n${name}: ending what runs`);
      controller.abort();
    });
  }
  return controller.signal;
}
