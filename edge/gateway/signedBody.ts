/** Bodies of signed calls (`Svc-Signature` over method, path and body): what a scanner and an operator tell the gateway. */
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { verifyCall } from "@svc/shared/protocol/webhook/signedCall.ts";
import { edgeNow } from "../platform/edgeClock.ts";

/**
 * Reads a body of at most `max` bytes that a secret signs. Rejects with `gateway/bad-key` for another signature, one of another call, one
 * that is five minutes old, and where there is no secret; `http/body-too-large`.
 */
export async function signedBody(
  request: Request,
  secret: string | undefined,
  max: number,
): Promise<string> {
  const body = await bodyOf(request, max);
  // A secret that is empty would be one that everybody knows.
  if (secret === undefined || secret === "") throw new SvcError("gateway/bad-key", {});
  const now = edgeNow() / 1_000n;
  const verdict = await verifyCall(secret, request, body, now);
  if (verdict !== "ok") throw new SvcError("gateway/bad-key", {});
  return new TextDecoder().decode(body);
}

async function bodyOf(request: Request, max: number): Promise<Uint8Array> {
  try {
    return await bodyWithin(request, max);
  } catch (error) {
    if (!SvcError.is(error, "codec/count-too-large")) throw error;
    throw new SvcError("http/body-too-large", { length: error.data.count ?? "", max });
  }
}
