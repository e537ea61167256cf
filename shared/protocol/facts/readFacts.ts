/** Parses JSON text into a checked value. */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";

/** Makes a parser of one kind of JSON text; `name` appears in its errors. Throws `codec/bad-json`. */
export function factsReader<S extends v.GenericSchema>(
  schema: S,
  name: string,
): (json: string) => v.InferOutput<S> {
  return (json) => {
    const parsed = v.safeParse(schema, parseJson(json, name));
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    const reason = `${name} ${v.getDotPath(issue) ?? ""}: ${issue.message}`;
    throw new SvcError("codec/bad-json", { reason: reason.slice(0, 200) });
  };
}

function parseJson(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new SvcError("codec/bad-json", { reason: `${name} is not JSON` }, error);
  }
}
