/** Test helper for malformed input, which is refused with the name of the field that is wrong. */
import { SvcError } from "../svcError.ts";

/** Code and field of what a call throws, "none" when it returns; anything but an SvcError is a defect and thrown on. */
export function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof SvcError) return `${error.code} ${String(error.data["field"])}`;
    throw error;
  }
  return "none";
}
