/** Parses JSON text into a checked value. */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";

/** Makes a parser of one kind of JSON text; `name` appears in its errors. Throws `codec/bad-json`. */
export function factsReader<S extends v.GenericSchema>(
  schema: S,
  name: string,
): (json: string) => v.InferOutput<S> {
  return (json) => checked(schema, parseJson(json, name), name);
}

/** Makes a parser of a value that is no text any more; 64-bit numbers in it are decimal text. Throws `codec/bad-json`. */
export function valueReader<S extends v.GenericSchema>(
  schema: S,
  name: string,
): (value: unknown) => v.InferOutput<S> {
  return (value) => checked(schema, value, name);
}

/** Makes a parser of text that is one word, not JSON. Throws `codec/bad-json`. */
export function wordReader<S extends v.GenericSchema>(
  schema: S,
  name: string,
): (word: string) => v.InferOutput<S> {
  return (word) => checked(schema, word, name);
}

function checked<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  name: string,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const reason = `${name} ${v.getDotPath(issue) ?? ""}: ${issue.message}`;
  throw new SvcError("codec/bad-json", { reason: reason.slice(0, 200) });
}

function parseJson(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new SvcError("codec/bad-json", { reason: `${name} is not JSON` }, error);
  }
}
