/** The per-request context of the HTTP server, and its middleware for response headers. */
import type { ServerResponse } from "node:http";
import type { Hono, MiddlewareHandler } from "hono";
import type { Caller } from "./accessCheck.ts";
import { CLOSED_HEADERS } from "./closedHeaders.ts";

/** The context of a request: the caller that the gate let in, and the response on its socket. */
export type HttpEnv = {
  Bindings: { readonly caller: Caller; readonly outgoing: ServerResponse };
};

/** Routes of the server, with this context. */
export type HttpRoutes = Hono<HttpEnv>;

/** Middleware that closes the answers of some routes to a browser: see `CLOSED_HEADERS`. */
export const closedAnswers: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(CLOSED_HEADERS)) c.header(name, value);
};

/** CORS middleware: lets pages of a configured origin read the answers, and nobody else. */
export const openToCaller: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const { origin } = c.env.caller;
  c.header("Vary", "Origin");
  c.header("Cross-Origin-Resource-Policy", origin === null ? "same-origin" : "cross-origin");
  if (origin !== null) c.header("Access-Control-Allow-Origin", origin);
};
