/** The option that says how much is logged. */
import { LOG_LEVELS, type LogLevelName } from "../platform/log.ts";
import { badOption } from "./readOptions.ts";

/** Reads a level's name. Throws `node/bad-option`. */
export function levelOption(text: string): LogLevelName {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) throw badOption("loglevel", `write one of ${LOG_LEVELS.join(", ")}`);
  return level;
}
