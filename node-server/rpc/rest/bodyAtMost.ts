/** Refuses request bodies above a bound, in the one form of errors. */
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { errorAnswer } from "./errorAnswer.ts";

/** Lets bodies of up to `max` bytes pass; a longer one is answered with `http/body-too-large`. */
export function bodyAtMost(max: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: max,
    onError: (c) => {
      const length = c.req.header("content-length") ?? `more than ${max}`;
      return errorAnswer(c, new SvcError("http/body-too-large", { length, max }));
    },
  });
}
