/** Reads the parts of a request of an API by the schemas of its row: in Node, at an edge, without either's classes. */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import { parseExactJson } from "./numberText.ts";
import { wireFault } from "./wireFault.ts";

const JSON_TYPE = /^application\/json *(?:;|$)/i;
/** Characters of a foreign header in an error. */
const SHOWN = 80;

/**
 * The JSON of a body; undefined for an empty one. `type`: the header `Content-Type`; a page of another origin cannot send JSON's
 * without asking first. Throws `api/not-json`, `codec/bad-utf8`, `codec/bad-json`.
 */
export function jsonOfBody(body: Uint8Array, type: string | undefined): unknown {
  if (body.length === 0) return undefined;
  requireJsonType(type);
  return jsonOfBytes(body);
}

/** Throws `api/not-json` unless the header `Content-Type` is JSON's. */
export function requireJsonType(type = "no type"): void {
  if (!JSON_TYPE.test(type)) throw new SvcError("api/not-json", { found: type.slice(0, SHOWN) });
}

/** Parses JSON in UTF-8. Throws `codec/bad-utf8`, `codec/bad-json`. */
export function jsonOfBytes(bytes: Uint8Array): unknown {
  return parseExactJson(utf8(bytes));
}

/** Reads a part by its schema. Throws the error that names the field: `fault` makes it. */
export function readPart<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  whole: string,
  fault: (issues: readonly v.BaseIssue<unknown>[], whole: string) => SvcError = wireFault,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw fault(result.issues, whole);
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    throw new SvcError("codec/bad-utf8", {}, error);
  }
}
