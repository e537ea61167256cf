import { inspect } from "node:util";

/** A secret text. Whoever prints it, or what it stands in, sees no part of it. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text, for the one place that needs it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return "(secret)";
  }

  toJSON(): string {
    return "(secret)";
  }

  [inspect.custom](): string {
    return "(secret)";
  }
}
