/** Error messages. Their sentences come from the shared error registry, so every program says the same. */
import { sentenceOf } from "@svc/shared/base/errors.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";

/** The sentence of an error; null when there is none. */
export function sentenceOrNull(error: ErrorJson | null): string | null {
  return error === null ? null : sentenceOf(error);
}
