/** The JSON of a fault, the same over gRPC as over HTTP: code, sentence and data (docs/formats.md 4). */
import { httpErrorOf } from "@svc/shared/base/errors.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";

/** The JSON of an error, with nothing of this machine. */
export function faultJson(error: SvcError): string {
  return JSON.stringify(httpErrorOf(error).body);
}
