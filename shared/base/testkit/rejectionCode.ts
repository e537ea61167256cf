/** Test helper for promises that are refused. */
import { SvcError } from "../svcError.ts";

/** The code of the error that a promise rejects with, `otherwise` when it resolves. A foreign error has the code of a defect. */
export function rejectionCode(call: Promise<unknown>, otherwise = "none"): Promise<string> {
  return call.then(
    () => otherwise,
    (error: unknown) => SvcError.from(error).code,
  );
}
