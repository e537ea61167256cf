/** Worker of the explorer and the public REST interface. */
import { Hono } from "hono";
import type { ExplorerEnv } from "./explorerEnv.ts";

const app = new Hono<{ Bindings: ExplorerEnv }>();

app.get("/health", async ({ env, json }) => {
  await env.DB.prepare("SELECT 1").run();
  return json({ ok: true });
});

export default { fetch: app.fetch } satisfies ExportedHandler<ExplorerEnv>;
