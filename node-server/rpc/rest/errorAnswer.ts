/** One error body on every HTTP surface: `{error, code, …data}` with the registry's status. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { httpErrorOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

function isStatus(status: number): status is ContentfulStatusCode {
  return Number.isInteger(status) && status >= 400 && status < 600;
}

/** Answers a request with an error. */
export function errorAnswer(c: Context, thrown: unknown): Response {
  const { status, body } = httpErrorOf(SvcError.from(thrown));
  return c.json(body, isStatus(status) ? status : 500);
}
