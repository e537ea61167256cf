/**
 * The project's one error class: a code of the generated union and the typed data of that code.
 *
 * Made by our own code with the constructor, by `SvcError.from` out of whatever was thrown: the
 * core throws an `Error` whose message is the JSON form.
 */
import { CODE_FIELDS, type Code, type CodeField } from "./generated/codes.ts";

/** The data of one code; numbers are stored as decimal text. */
export type CodeData<C extends Code> = C extends Code
  ? { readonly [F in CodeField<C>]: string | number | bigint }
  : never;

/** The plain form that crosses threads, sockets and the WebAssembly boundary. */
export type ErrorJson = { readonly code: Code; readonly data: Readonly<Record<string, string>> };

/** An error with a code of the registry. What it means for callers and peers is in `errors.ts`. */
export class SvcError<C extends Code = Code> extends Error {
  readonly code: C;
  /** Data fields as text. */
  readonly data: Readonly<Record<string, string>>;

  constructor(code: C, data: CodeData<C>, cause?: unknown) {
    const texts: Record<string, string> = {};
    for (const [field, value] of Object.entries<string | number | bigint>(data)) {
      texts[field] = String(value);
    }
    super(describe(code, texts), cause === undefined ? undefined : { cause });
    this.name = "SvcError";
    this.code = code;
    this.data = texts;
  }

  /** The plain form. */
  toJSON(): ErrorJson {
    return { code: this.code, data: this.data };
  }

  /** True for an `SvcError` of one of these codes. */
  static is<C extends Code>(error: unknown, ...codes: readonly C[]): error is SvcError<C> {
    return error instanceof SvcError && codes.some((code) => code === error.code);
  }

  /** Reads the plain form. What is not one becomes `internal/unexpected`. */
  static fromJson(value: unknown): SvcError {
    const json = readJson(value);
    if (json === undefined) {
      return new SvcError("internal/unexpected", { message: describeValue(value) });
    }
    return new SvcError<Code>(json.code, json.data);
  }

  /** Turns anything thrown into an `SvcError`: itself, the JSON in its message, an abort, or `internal/unexpected`. */
  static from(thrown: unknown): SvcError {
    if (thrown instanceof SvcError) return thrown;
    if (!(thrown instanceof Error)) {
      return new SvcError("internal/unexpected", { message: describeValue(thrown) }, thrown);
    }
    if (thrown.name === "AbortError") return new SvcError("run/aborted", {}, thrown);
    const parsed = thrown.message.startsWith("{") ? parseOrUndefined(thrown.message) : undefined;
    if (readJson(parsed) !== undefined) return SvcError.fromJson(parsed);
    return new SvcError("internal/unexpected", { message: thrown.message }, thrown);
  }
}

/** True for the text of a known code. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(CODE_FIELDS, text);
}

function readJson(value: unknown): ErrorJson | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("code" in value) || typeof value.code !== "string" || !isCode(value.code)) return undefined;
  const data: Record<string, string> = {};
  const raw: unknown = "data" in value ? value.data : {};
  if (typeof raw === "object" && raw !== null) {
    for (const [field, item] of Object.entries(raw)) data[field] = textOf(item);
  }
  return { code: value.code, data };
}

/** Foreign objects may not know how to become text. */
function textOf(value: unknown): string {
  return typeof value === "bigint" ? value.toString() : describeValue(value);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(code: string, data: Readonly<Record<string, string>>): string {
  const fields = Object.entries(data).map(([field, value]) => `${field}=${value}`);
  return fields.length === 0 ? code : `${code} (${fields.join(", ")})`;
}

function describeValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
