/** HTML as a value that was escaped when it was made: a template tag that escapes whatever it is given. */

/** Text of HTML. Only `markup` makes it, so that nothing gets in unescaped. */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** Makes it from a template. */
  static of(parts: readonly string[], slots: readonly Slot[]): Markup {
    const text = parts.map((part, at) => (at === 0 ? part : `${textOf(slots[at - 1])}${part}`));
    return new Markup(text.join(""));
  }
}

/** What may stand in a template: text, which is escaped, and markup, which is not. Null and false leave nothing. */
export type Slot = string | number | Markup | readonly Markup[] | null | false | undefined;

/** Template tag: ``markup`<p>${text}</p>` ``. Attributes have to be in double quotes. */
export function markup(parts: TemplateStringsArray, ...slots: readonly Slot[]): Markup {
  return Markup.of(parts, slots);
}

const NOTHING = Markup.of([""], []);

/**
 * A message with its slots filled: `{name}` in the text is replaced by the slot of that name. The message and text slots are escaped.
 * Throws a `TypeError` for a slot that is not given.
 */
export function filled(text: string, slots: Readonly<Record<string, string | Markup>>): Markup {
  return text.split(/(\{\w+\})/).reduce((made, piece) => {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1];
    if (name === undefined) return markup`${made}${piece}`;
    const slot = slots[name];
    if (slot === undefined) throw new TypeError(`a message has no ${name}`);
    return markup`${made}${slot}`;
  }, NOTHING);
}

function textOf(slot: Slot): string {
  if (slot === null || slot === undefined || slot === false) return "";
  if (typeof slot === "string" || typeof slot === "number") return escaped(String(slot));
  return slot instanceof Markup ? slot.toString() : slot.map(String).join("");
}

const NAMES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => NAMES[character] ?? "");
}
