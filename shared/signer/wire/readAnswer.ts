/** Reads what a daemon answered with success. */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import { parseExactJson } from "./exactJson.ts";

/** Reads an answer by its schema. Throws `api/bad-answer` with this reason, as for a page of something in between. */
export function readAnswer<S extends v.GenericSchema>(
  schema: S,
  text: string,
  reason: string,
): v.InferOutput<S> {
  try {
    return v.parse(schema, parseExactJson(text));
  } catch (error) {
    throw new SvcError("api/bad-answer", { status: 200, reason }, error);
  }
}
