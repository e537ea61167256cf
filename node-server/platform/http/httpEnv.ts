/** The per-request context of the HTTP server, and its middleware for response headers. */
import type { ServerResponse } from "node:http";
import type { Hono, MiddlewareHandler } from "hono";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { Caller } from "./accessCheck.ts";
import { CLOSED_HEADERS } from "./closedHeaders.ts";

/** The context of a request: the caller that the gate let in, and the response on its socket. */
export type HttpEnv = {
  Bindings: {
    readonly caller: Caller;
    readonly outgoing: ServerResponse;
    /** Why the gate let a stranger in to nothing but what is open to everybody; left out for everybody else. */
    readonly refusal?: SvcError;
  };
};

/** Routes of the server, with this context. */
export type HttpRoutes = Hono<HttpEnv>;

/** Middleware that closes the answers of some routes to a browser: see `CLOSED_HEADERS`. */
export const closedAnswers: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(CLOSED_HEADERS)) c.header(name, value);
};

/** CORS middleware for what is open to everybody: lets pages of any origin read the answers. `exposed`: headers that they may read. */
export function openToAll(exposed: readonly string[]): MiddlewareHandler<HttpEnv> {
  const names = exposed.join(", ");
  return async (c, next) => {
    await next();
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Access-Control-Expose-Headers", names);
  };
}

/** CORS middleware: lets pages of a configured origin read the answers, and nobody else. */
export const openToCaller: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const { origin } = c.env.caller;
  c.header("Vary", "Origin");
  c.header("Cross-Origin-Resource-Policy", origin === null ? "same-origin" : "cross-origin");
  if (origin !== null) c.header("Access-Control-Allow-Origin", origin);
};
