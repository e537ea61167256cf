/** Reads the body of a foreign HTTP request or response up to a size limit. */
import { concatBytes } from "./bytes.ts";
import { SvcError } from "./svcError.ts";

/** Reads the whole body. Throws `codec/count-too-large`, and reads no further, when it is longer than `max` bytes. */
export async function bodyWithin(
  message: Pick<Response, "body">,
  max: number,
): Promise<Uint8Array> {
  if (message.body === null) return new Uint8Array();
  const reader = message.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatBytes(...parts);
    length += value.length;
    if (length > max) {
      await reader.cancel();
      throw new SvcError("codec/count-too-large", { count: length, max });
    }
    parts.push(value);
  }
}
