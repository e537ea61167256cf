/** The error response of every HTTP surface: `{error, code, …data}` with the registry's status. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { httpErrorOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { CLOSED_HEADERS } from "./closedHeaders.ts";

function isStatus(status: number): status is ContentfulStatusCode {
  return Number.isInteger(status) && status >= 400 && status < 600;
}

/** Answers a request with an error. */
export function errorAnswer(c: Context, thrown: unknown): Response {
  const { status, headers, body } = errorParts(SvcError.from(thrown));
  return c.body(body, isStatus(status) ? status : 500, headers);
}

/** Makes the response to a request that no route has seen. */
export function errorResponse(thrown: unknown): Response {
  const { status, headers, body } = errorParts(SvcError.from(thrown));
  return new Response(body, { status, headers });
}

/** Makes status, headers and JSON of an error. */
export function errorParts(error: SvcError): {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
} {
  const { status, body } = httpErrorOf(error);
  const headers: Record<string, string> = {
    ...CLOSED_HEADERS,
    "Content-Type": "application/json",
  };
  const retryAfter = error.data["retryAfter"];
  if (retryAfter !== undefined) headers["Retry-After"] = retryAfter;
  return { status, headers, body: JSON.stringify(body) };
}
