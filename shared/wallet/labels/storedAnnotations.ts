/** Codec of the stored forms of an owner's annotations (labels, contacts): JSON with a version, which is refused whole. */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";

/** A stored form: what it is called in an error, its version, and its schema with that version in it. */
export type AnnotationsForm<Json> = {
  readonly what: string;
  readonly version: number;
  readonly schema: v.GenericSchema<unknown, Json>;
};

/** Parses a stored text. Throws `store/version` for another version, and `store/corrupt`. */
export function readAnnotations<Json>(
  { what, version, schema }: AnnotationsForm<Json>,
  text: string,
): Json {
  const json = parsed(what, text);
  const named = v.safeParse(v.object({ version: v.number() }), json);
  if (named.success && named.output.version !== version) {
    const found = String(named.output.version);
    throw new SvcError("store/version", { expected: version, found });
  }
  const read = v.safeParse(schema, json);
  if (!read.success) throw corruptAnnotations(`the ${what} have another form`);
  return read.output;
}

/** Annotations of equal meaning have one text. Throws `store/corrupt` where this one is another. */
export function requireAnnotations(what: string, text: string, encoded: string): void {
  if (encoded !== text) throw corruptAnnotations(`the ${what} are written in another way`);
}

function parsed(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw corruptAnnotations(`the ${what} are no JSON`);
  }
}

function corruptAnnotations(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "wallet", reason });
}
