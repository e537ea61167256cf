/** Reads a request body up to a size limit. */
import type { Context } from "hono";
import { SvcError } from "@svc/shared/base/svcError.ts";

/**
 * Reads the body, of `max` bytes at most. Throws `http/body-too-large`, before anything is read where the request says its
 * length, and `run/aborted` when the caller leaves in the middle of it: that is no defect of ours.
 */
export async function bodyAtMost(c: Context, max: number): Promise<Uint8Array> {
  const length = c.req.header("content-length");
  if (length !== undefined && Number(length) > max) {
    throw new SvcError("http/body-too-large", { length, max });
  }
  try {
    // Node's parser hands on no more than the length that was said.
    if (length !== undefined) return new Uint8Array(await c.req.arrayBuffer());
    return await readChunks(c.req.raw.body, max);
  } catch (error) {
    throw error instanceof SvcError ? error : new SvcError("run/aborted", {}, error);
  }
}

async function readChunks(
  body: ReadableStream<Uint8Array> | null,
  max: number,
): Promise<Uint8Array> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) return new Uint8Array(Buffer.concat(chunks));
    chunks.push(part.value);
    length += part.value.length;
    if (length <= max) continue;
    await reader?.cancel();
    throw new SvcError("http/body-too-large", { length: `more than ${max}`, max });
  }
}
