/** Signal handling (SIGINT, SIGTERM, SIGHUP): the first signal stops the program in good order, a later one ends it at once. */
import { constants } from "node:os";
import { APP_LIMITS } from "../appLimits.ts";

/** The handled signals: Ctrl-C, what a supervisor sends, and a terminal that was closed. */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A signal that ends a program. */
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Added to a signal's number, this is the status of a program that it ended, as shells count it. */
const SIGNAL_STATUS = 128;

/** The exit status of a program that a signal ended: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP. */
export function signalStatus(name: StopSignal): number {
  return SIGNAL_STATUS + constants.signals[name];
}

/** The source of signals: the process. */
export type SignalSource = {
  on(signal: StopSignal, listener: (name: StopSignal) => void): unknown;
};

/** Dependencies of the handler. */
export type SignalParts = {
  /** Begins a clean stop; heard once. */
  readonly stop: () => void;
  /** Ends the process at once. */
  readonly exit: (status: number) => void;
  /** Milliseconds that only go forward. */
  readonly steadyMs: () => number;
};

/** Handles signals from now on. Says by which one the program was stopped first; null while none has come. */
export function stopOnSignals(
  process: SignalSource,
  { stop, exit, steadyMs }: SignalParts,
): () => StopSignal | null {
  let first: StopSignal | null = null;
  let sinceMs = 0;
  const hear = (name: StopSignal): void => {
    if (first === null) {
      first = name;
      sinceMs = steadyMs();
      stop();
      // npm and the terminal both pass one Ctrl-C on, and a supervisor may send two kinds at once: only a later one is a second.
    } else if (steadyMs() - sinceMs > APP_LIMITS.secondSignalMs) exit(signalStatus(name));
  };
  for (const name of STOP_SIGNALS) process.on(name, hear);
  return () => first;
}
