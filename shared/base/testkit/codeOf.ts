/** Test helper for calls that are refused. */
import { SvcError } from "../svcError.ts";

/** The code of what a call throws, `otherwise` when it returns; anything but an SvcError is a defect and thrown on. */
export function codeOf(call: () => unknown, otherwise = "none"): string {
  try {
    call();
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
  return otherwise;
}
