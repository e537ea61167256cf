/** One try to deliver a webhook: a POST that follows no redirect, reads little and takes little time. */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";
import { guardedLookup, hostOf, type WebhookReach } from "./webhookTarget.ts";

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
    let isAnswered = false;
    request.on("error", (error) => {
      // What happens to the connection behind the status changes nothing.
      if (!isAnswered)
        reject(SvcError.is(error, "webhook/bad-target") ? error : unreachable(error));
    });
    request.on("response", (response) => {
      isAnswered = true;
      const { statusCode: status = 0 } = response;
      const isTaken = status >= 200 && status < 300;
      // The status decides; the rest is read so that an honest receiver can end its answer.
      drain(request, response, () => {
        if (isTaken) resolve();
        else reject(new SvcError("webhook/refused", { status }));
      });
    });
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

function drain(request: ClientRequest, response: IncomingMessage, done: () => void): void {
  let length = 0;
  response.on("data", (chunk: Uint8Array) => {
    length += chunk.length;
    if (length > CLIENT_LIMITS.webhookAnswerBytes) request.destroy();
  });
  response.on("error", () => undefined);
  response.on("close", done);
}

function unreachable(error: unknown): SvcError<"webhook/unreachable"> {
  const code: unknown = error instanceof Error && "code" in error ? error.code : null;
  const reason = typeof code === "string" ? code : "no answer";
  return new SvcError("webhook/unreachable", { reason }, error);
}
