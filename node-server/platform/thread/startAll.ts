/** Starts a program of several parts: all of them run, or none does. */
import { Started } from "./started.ts";

/** A running program. */
export type Running = {
  /** Where it listens, `http://host:port`. */
  readonly address: string;
  /** Stops in good order. Calling it again does nothing. */
  stop(): Promise<void>;
};

/** Lets `start` note what it starts and give the address. Rejects with what it rejects with; all that was started is stopped then. */
export async function startAll(start: (started: Started) => Promise<string>): Promise<Running> {
  const started = new Started();
  try {
    const address = await start(started);
    let stopped: Promise<void> | null = null;
    return { address, stop: () => (stopped ??= started.stop()) };
  } catch (error) {
    await started.stop().catch(() => undefined);
    throw error;
  }
}
