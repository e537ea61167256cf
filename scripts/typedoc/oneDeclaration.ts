/** Logger for TypeDoc that passes over one of its warnings where it is a false alarm. */
import { ConsoleLogger, LogLevel } from "typedoc";

/** What a warning says of a name with comments in several places. The next message lists the places, a line each. */
const SEVERAL = /has multiple declarations with a comment/;

/**
 * Takes a warning of several comments back when all of them are the same one: a property of a type that is inferred from a schema
 * is declared once, and counted as often as the schema is referred to.
 */
export class OneDeclaration extends ConsoleLogger {
  #held: string | undefined;

  /** Writes a message, with the warning that it explains before it. */
  override log(message: string, level: Exclude<LogLevel, LogLevel.None>): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined && level === LogLevel.Warn && SEVERAL.test(message)) {
      this.#held = message;
      return;
    }
    if (held !== undefined && isOnePlace(message)) return;
    if (held !== undefined) super.log(held, LogLevel.Warn);
    super.log(message, level);
  }
}

function isOnePlace(message: string): boolean {
  const [head = "", ...places] = message.split("\n");
  return head.endsWith("are declared at:") && new Set(places).size === 1;
}
