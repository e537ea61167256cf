/** Structured logs: constant messages, typed fields, one line of JSON each, or of words at a terminal. */
import { pino, type DestinationStream, type Logger } from "pino";
import { LineWriter } from "./lineWriter.ts";
import { maskAddresses } from "./maskAddresses.ts";
import { terminalLine } from "./terminalLine.ts";

/** The levels a person may choose. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;

/** A level of the log. */
export type LogLevelName = (typeof LOG_LEVELS)[number];

const STDERR = 2;
const LOST = "lines of the log were lost: whoever reads it was too slow or gone";

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

const shown = (json: string): string => (process.stderr.isTTY ? terminalLine(json) : json);

/** One for all logs of the process: none of them begins in the middle of another one's line. */
const lines = LineWriter.to(STDERR, (lost) => {
  const [level, time, msg] = [pino.levels.values["warn"], new Date().toISOString(), LOST];
  return shown(`${JSON.stringify({ level, time, lost, msg })}\n`);
});

function standardError({ masksAddresses = false }: LogOptions): DestinationStream {
  const hidden = masksAddresses ? maskAddresses : (json: string): string => json;
  return { write: (json) => lines.write(shown(hidden(json))) };
}

/** The log of one component: every line carries its name. */
export function componentLog(log: Log, component: string): Log {
  return "child" in log && typeof log.child === "function" ? log.child({ component }) : log;
}
