/** Parses the JSON of a body that was read as text. Throws `codec/bad-json`. */
import { SvcError } from "@svc/shared/base/svcError.ts";

/** The value. */
export function bodyJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new SvcError("codec/bad-json", { reason: "body" }, error);
  }
}
