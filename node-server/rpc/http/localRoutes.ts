/** HTTP routes that only a local network has: its pages may control the miner. */
import { Hono } from "hono";
import * as v from "valibot";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { LocalMiner } from "../service/nodeApi.ts";
import { bodyAtMost } from "../../platform/http/bodyAtMost.ts";
import { closedAnswers, type HttpEnv, type HttpRoutes } from "../../platform/http/httpEnv.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const wish = v.object({ address: v.string() });

/** Parses a request to the miner: whom its next blocks pay. Throws `http/bad-request`. */
export function readWish(body: string): v.InferOutput<typeof wish> {
  const parsed = v.safeParse(wish, parsedOrUndefined(body));
  if (parsed.success) return parsed.output;
  throw new SvcError("http/bad-request", { reason: "address is missing" });
}

function parsedOrUndefined(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Makes the routes below `/local`. Only this server's own pages: a configured origin is refused here, and no CORS header is
 * sent.
 */
export function localRoutes(miner: LocalMiner): HttpRoutes {
  const app = new Hono<HttpEnv>();
  app.use("*", closedAnswers, async (c, next) => {
    const { origin } = c.env.caller;
    if (origin !== null) throw new SvcError("http/foreign-origin", { origin });
    await next();
  });
  app.get("/mine", (c) => c.body(jsonText(miner.state()), 200, JSON_TYPE));
  app.post("/mine", async (c) => {
    // A page of another origin cannot send this type without asking first.
    if (c.req.header("content-type") !== "application/json") {
      throw new SvcError("http/bad-request", { reason: "send application/json" });
    }
    const body = await bodyAtMost(c, RPC_LIMITS.localRequestBytes);
    miner.payTo(readWish(new TextDecoder().decode(body)).address);
    return c.body(jsonText(miner.state()), 200, JSON_TYPE);
  });
  return app;
}
