/** Parser of the option for the log level. */
import { LOG_LEVELS, type LogLevelName } from "../../platform/log/log.ts";
import { badOption } from "./readOptions.ts";

/** Parses the name of a log level. Throws `node/bad-option`. */
export function levelOption(text: string): LogLevelName {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) throw badOption("loglevel", `write one of ${LOG_LEVELS.join(", ")}`);
  return level;
}
