/** 64-bit integers as JSON numbers, written digit for digit. */
import { NumberText } from "@svc/shared/protocol/contract/numberText.ts";

/** A whole number as JSON, written digit for digit. */
export function wholeNumber(value: bigint): NumberText {
  return new NumberText(String(value));
}
