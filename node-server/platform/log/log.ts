/** Structured logs: constant messages, typed fields, one line of JSON each, or of words at a terminal. */
import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { systemClock } from "../time/clock.ts";
import { LineWriter } from "./lineWriter.ts";
import { LogRates } from "./logRates.ts";
import { maskAddresses } from "./maskAddresses.ts";
import { terminalLine } from "./terminalLine.ts";

/** The log levels a person may choose. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;

/** A log level. */
export type LogLevelName = (typeof LOG_LEVELS)[number];

const STDERR = 2;
/** The time of day as each line has it: a comma, name and value. */
const timestamp = pino.stdTimeFunctions.isoTime;
const LOST = "lines of the log were lost: whoever reads it was too slow or gone";

/** The log as components see it. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/** Settings of a log. */
export type LogOptions = {
  /** Addresses of others are cut down to their network. */
  readonly masksAddresses?: boolean;
};

/** A log to standard error, so that what a program prints for people stays alone on standard output. */
export function createLog(level: LogLevelName, options: LogOptions = {}): Log {
  const fields = { level, base: null, timestamp };
  // Whoever asks for every line gets it.
  const hooks = level === "debug" || level === "trace" ? {} : { logMethod: boundedLog() };
  return pino({ ...fields, hooks }, standardError(options));
}

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

/** Writes a line, with the number of those with its message that were left out before; or leaves it out. */
function boundedLog(): LogMethod {
  const rates = new LogRates();
  return function bounded(args, method) {
    const [first, second]: unknown[] = args;
    const message = typeof first === "string" ? first : String(second);
    const leftOut = rates.admit(message, systemClock.steadyMs());
    if (leftOut === null) return;
    const facts = typeof first === "object" ? first : {};
    if (leftOut === 0) method.apply(this, args);
    else method.apply(this, [{ leftOut, ...facts }, message]);
  };
}

const shown = (json: string): string => (process.stderr.isTTY ? terminalLine(json) : json);

/** One for all logs of the process: none of them begins in the middle of another one's line. */
const lines = LineWriter.to(STDERR, (lost) => {
  const level = pino.levels.values["warn"];
  return shown(`{"level":${level}${timestamp()},"lost":${lost},"msg":${JSON.stringify(LOST)}}\n`);
});

// The last lines say why a program ended.
process.on("exit", () => lines.flush());

function standardError({ masksAddresses = false }: LogOptions): DestinationStream {
  const hidden = masksAddresses ? maskAddresses : (json: string): string => json;
  return { write: (json) => lines.write(shown(hidden(json))) };
}

/** The log of one component: every line carries its name. */
export function componentLog(log: Log, component: string): Log {
  return "child" in log && typeof log.child === "function" ? log.child({ component }) : log;
}
