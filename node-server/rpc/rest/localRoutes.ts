/** Routes that only a local network has: its pages may steer the miner. */
import { Hono } from "hono";
import * as v from "valibot";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { LocalMiner } from "../service/nodeApi.ts";
import { bodyAtMost } from "./bodyAtMost.ts";
import { closedAnswers, type HttpEnv, type HttpRoutes } from "./httpEnv.ts";
import { jsonText } from "./jsonText.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const wish = v.object({ address: v.string() });

/** Reads the body of a wish to the miner: whom its next blocks pay. Throws `http/bad-request`. */
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

/** Routes below `/local`. Only this server's own pages: a configured origin is refused here, and no CORS header is sent. */
export function localRoutes(miner: LocalMiner): HttpRoutes {
  const app = new Hono<HttpEnv>();
  app.use("*", closedAnswers, async (c, next) => {
    const { origin } = c.env.caller;
    if (origin !== null) throw new SvcError("http/foreign-origin", { origin });
    await next();
  });
  app.get("/mine", (c) => c.body(jsonText(miner.state()), 200, JSON_TYPE));
  app.post("/mine", bodyAtMost(LIMITS.localRequestBytes), async (c) => {
    // A page of another origin cannot send this type without asking first.
    if (c.req.header("content-type") !== "application/json") {
      throw new SvcError("http/bad-request", { reason: "send application/json" });
    }
    miner.payTo(readWish(await c.req.text()).address);
    return c.body(jsonText(miner.state()), 200, JSON_TYPE);
  });
  return app;
}
