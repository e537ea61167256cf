/** Structured logs: constant messages, typed fields, one line of JSON each, or of words at a terminal. */
import { pino, type DestinationStream, type Logger } from "pino";
import { maskAddresses } from "./maskAddresses.ts";
import { terminalLine } from "./terminalLine.ts";

/** The levels a person may choose. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;

/** A level of the log. */
export type LogLevelName = (typeof LOG_LEVELS)[number];

const STDERR = 2;

/** The log as components see it. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/** How lines are written. */
export type LogOptions = {
  /** Addresses of others are cut down to their network. */
  readonly masksAddresses?: boolean;
};

/** A log to standard error, so that what a program prints for people stays alone on standard output. */
export function createLog(level: LogLevelName, options: LogOptions = {}): Log {
  const fields = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(fields, standardError(options));
}

function standardError({ masksAddresses = false }: LogOptions): DestinationStream {
  const lines = pino.destination({ dest: STDERR, sync: true });
  const shown = process.stderr.isTTY ? terminalLine : (json: string): string => json;
  if (!masksAddresses && !process.stderr.isTTY) return lines;
  const hidden = masksAddresses ? maskAddresses : (json: string): string => json;
  return { write: (json) => void lines.write(shown(hidden(json))) };
}

/** The log of one component: every line carries its name. */
export function componentLog(log: Log, component: string): Log {
  return "child" in log && typeof log.child === "function" ? log.child({ component }) : log;
}
