/** Formats a JSON log line for a person at a terminal. */
import { pino } from "pino";

const KNOWN: ReadonlySet<string> = new Set(["time", "level", "msg", "component", "err"]);
const TIME_FROM = 11;
const TIME_TO = 19;
const LEVEL_WIDTH = 5;

/**
 * Formats a line of JSON as `09:21:30 info  sync: blocks 1,200 of 50,000 (2 %) peer=1.2.3.4`: the time (UTC), what is said,
 * facts that are numbers or texts, and the code of an error with its sentence. What is no such line stays as it is.
 */
export function terminalLine(json: string): string {
  const line = parsed(json);
  if (line === null) return json;
  const { time, level, msg, component, err } = line;
  const clock = typeof time === "string" ? time.slice(TIME_FROM, TIME_TO) : "";
  const name = (pino.levels.labels[Number(level)] ?? "").padEnd(LEVEL_WIDTH);
  const said = typeof component === "string" ? `${component}: ${String(msg)}` : String(msg);
  const facts = Object.entries(line).filter(([key, value]) => !KNOWN.has(key) && isPlain(value));
  const rest = facts.map(([key, value]) => `${key}=${String(value)}`);
  return `${[clock, name, said, ...errorText(err), ...rest].join(" ")}\n`;
}

function parsed(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Messages of our errors begin with their code. */
function errorText(err: unknown): readonly string[] {
  return isRecord(err) && typeof err["message"] === "string" ? [`(${err["message"]})`] : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
