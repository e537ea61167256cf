/**
 * JSON numbers as their text, so that integers beyond 2^53 and decimals stay what they were written as: no float is between.
 */
import { SvcError } from "../../base/svcError.ts";

/** A JSON number that was read, or one to be written digit for digit. */
export class NumberText {
  readonly text: string;

  /** `text` is a number as JSON writes it. */
  constructor(text: string) {
    this.text = text;
  }

  /** `JSON.stringify` writes the number itself where the platform can, else the nearest double. */
  toJSON(): unknown {
    const raw: unknown = Reflect.get(JSON, "rawJSON");
    return typeof raw === "function" ? Reflect.apply(raw, JSON, [this.text]) : Number(this.text);
  }
}

/** Longest part of the parser's reason that is told. */
const SHOWN = 80;

/**
 * Parses JSON whose numbers become `NumberText`. Throws `codec/bad-json`; also for an integer beyond 2^53 where the platform
 * does not say how it was written.
 */
export function parseExactJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text, (_key: string, item: unknown, ...rest: unknown[]) =>
      typeof item === "number" ? new NumberText(sourceOf(item, rest[0])) : item,
    );
    return value;
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const reason = error instanceof Error ? error.message.slice(0, SHOWN) : "not JSON";
    throw new SvcError("codec/bad-json", { reason });
  }
}

function sourceOf(value: number, context: unknown): string {
  if (typeof context === "object" && context !== null && "source" in context) {
    if (typeof context.source === "string") return context.source;
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new SvcError("codec/bad-json", { reason: "a number is too large to be read exactly" });
  }
  return String(value);
}
