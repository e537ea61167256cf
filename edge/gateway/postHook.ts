/** One try to deliver a webhook from the edge: a POST that follows no redirect, reads little and takes little time. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";

/** A POST to a receiver. */
export type HookPost = {
  /** From `hookTarget`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Sends it. Resolves when the receiver's status says that it has it; any other one, a redirect too, rejects with `webhook/refused`.
 * Rejects with `run/timeout` when the signal fires before the status is there, and with `webhook/unreachable`.
 */
export async function postHook(
  { url, headers, body }: HookPost,
  signal: AbortSignal,
): Promise<void> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      redirect: "manual",
      signal,
    });
  } catch (thrown) {
    if (signal.aborted) {
      const limitMs = PROTOCOL_LIMITS.webhookAnswerMs;
      throw new SvcError("run/timeout", { what: "webhook", limitMs }, thrown);
    }
    throw new SvcError("webhook/unreachable", { reason: "no answer" }, thrown);
  }
  await drain(response);
  if (!response.ok) throw new SvcError("webhook/refused", { status: response.status });
}

/** Reads the rest, so that an honest receiver can end its answer, and no more than the bound. Its status counts, whatever follows. */
async function drain({ body }: Response): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let length = 0; length <= PROTOCOL_LIMITS.webhookAnswerBytes;) {
      const { done, value } = await reader.read();
      if (done) return;
      length += value.length;
    }
    await reader.cancel();
  } catch {
    // The connection ended, or the time is over.
  }
}
