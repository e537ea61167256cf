/** One try to deliver a webhook: a POST that follows no redirect, reads little and takes little time. */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { hostOf, type WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { guarded } from "../platform/net/guarded.ts";
import { guardedLookup } from "./guardedLookup.ts";

/** A POST to a receiver. */
export type WebhookPost = {
  /** From `webhookUrl`. */
  readonly url: URL;
  readonly reach: WebhookReach;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/**
 * Sends it. Resolves when the receiver's status says that it has it; any other one, a redirect too, rejects with
 * `webhook/refused`. Rejects with `webhook/unreachable`, `webhook/bad-target`; when the signal fires, with the first.
 */
export function postWebhook(post: WebhookPost, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = open(post, signal);
    // Whatever comes first settles it: behind the status nothing that happens to the connection changes anything.
    let status: number | null = null;
    const end = (error?: unknown): void => {
      request.destroy();
      if (status === null) reject(unreachable(error));
      else if (status >= 200 && status < 300) resolve();
      else reject(new SvcError("webhook/refused", { status }));
    };
    request.on(
      "response",
      guarded((response: IncomingMessage) => {
        status = response.statusCode ?? 0;
        drain(response, end);
      }, end),
    );
    request.on("error", guarded(end, end));
    // A receiver that would rather speak another protocol is cut off without an error.
    request.on(
      "close",
      guarded(() => end(), end),
    );
    request.end(post.body);
  });
}

function open({ url, reach, headers, body }: WebhookPost, signal: AbortSignal): ClientRequest {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return send({
    host: hostOf(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method: "POST",
    headers: {
      ...headers,
      host: url.host,
      "content-type": "application/json",
      "content-length": String(body.length),
      connection: "close",
    },
    agent: false,
    lookup: guardedLookup(reach),
    signal,
  });
}

/** Reads the rest, so that an honest receiver can end its answer, and no more than the bound. */
function drain(response: IncomingMessage, end: (error?: unknown) => void): void {
  let length = 0;
  const take = (chunk: Uint8Array): void => {
    length += chunk.length;
    if (length > PROTOCOL_LIMITS.webhookAnswerBytes) end();
  };
  response.on("data", guarded(take, end));
  response.on("error", guarded(end, end));
  response.on(
    "close",
    guarded(() => end(), end),
  );
}

function unreachable(error: unknown): SvcError {
  if (SvcError.is(error, "webhook/bad-target")) return error;
  const code: unknown = error instanceof Error && "code" in error ? error.code : null;
  const reason = typeof code === "string" ? code : "no answer";
  return new SvcError("webhook/unreachable", { reason }, error);
}
