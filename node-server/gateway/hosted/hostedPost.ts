/** One signed question to a hosted gateway: a POST that follows no redirect, reads little and takes little time. */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { signCall } from "@svc/shared/protocol/webhook/signedCall.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { withinMs } from "../../platform/time/withinMs.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** Where a hosted gateway is, and what signs. */
export type HostedParts = {
  /** Its address, without a slash at its end. */
  readonly url: string;
  readonly secret: Secret;
  readonly clock: Pick<Clock, "nowMs" | "steadyMs" | "bootMs" | "sleep">;
  /** The platform's `fetch` unless a test gives another. */
  readonly request?: typeof fetch;
};

/** What is asked. */
export type HostedQuestion = {
  readonly path: string;
  /** Names it in the headers that sign it. */
  readonly id: string;
  readonly json: string;
};

/** What it answered: a status and JSON of its own. */
export type HostedAnswer = { readonly status: number; readonly body: unknown };

/**
 * Asks. Rejects with `gateway/unreachable`, `run/timeout`, `run/aborted`, and `gateway/bad-answer` for an answer that is too long or no
 * JSON. The secret is in none of them.
 */
export function postHosted(
  { url, secret, clock, request = fetch }: HostedParts,
  { path, id, json }: HostedQuestion,
  signal: AbortSignal,
): Promise<HostedAnswer> {
  const bound = { waitMs: GATEWAY_LIMITS.pushAnswerMs, what: "hosted gateway", signal };
  return withinMs(clock, bound, async (either) => {
    const body = new TextEncoder().encode(json);
    const text = secret.reveal((bytes) => new TextDecoder().decode(bytes));
    const message = { id, sentAt: clock.nowMs() / 1_000n, body };
    const signed = await signCall(text, message, { method: "POST", path });
    const headers = { ...signed, "content-type": "application/json" };
    let response: Response;
    try {
      const sent = { method: "POST", headers, body, redirect: "manual", signal: either } as const;
      response = await request(`${url}${path}`, sent);
    } catch (cause) {
      throwIfAborted(signal);
      throw new SvcError("gateway/unreachable", { url }, cause);
    }
    return { status: response.status, body: await readAnswer(response) };
  });
}

async function readAnswer(response: Response): Promise<unknown> {
  const { status } = response;
  try {
    const bytes = await bodyWithin(response, GATEWAY_LIMITS.pushAnswerBytes);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new SvcError("gateway/bad-answer", { status, reason: "no JSON, or too much" }, cause);
  }
}
