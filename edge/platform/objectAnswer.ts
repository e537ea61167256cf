/** Answers of Durable Objects. An error that crosses the call between Worker and object keeps only its text, so it travels as a value. */
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";

/** What an object answers. */
export type ObjectAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorJson };

/** Does the work of a call. Never rejects. */
export async function answering<T>(work: () => Promise<T>): Promise<ObjectAnswer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    const error = SvcError.from(thrown);
    if (SvcError.is(error, "internal/unexpected")) console.error(thrown);
    return { ok: false, error: error.toJSON() };
  }
}

/** What an object answered. Throws its error. */
export function answered<T>(answer: ObjectAnswer<T>): T {
  if (answer.ok) return answer.value;
  throw SvcError.fromJson(answer.error);
}
