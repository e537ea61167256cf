/** Worker of the explorer and the public REST interface. */
import { renderExplorerPage } from "virtual:explorer-renderer";
import type { Hono } from "hono";
import { explorerApp, writeHistory } from "./explorerApp.ts";
import type { ExplorerEnv } from "./origin/explorerEnv.ts";
import { RelayObject } from "./origin/relayObject.ts";

/** The server of each environment: an instance of the Worker has one. */
const apps = new WeakMap<ExplorerEnv, Hono>();

export { RelayObject };

export default {
  fetch(request, env, context) {
    const app =
      apps.get(env) ?? explorerApp(env, { shared: caches.default, render: renderExplorerPage });
    apps.set(env, app);
    return app.fetch(request, env, context);
  },

  async scheduled(_, env) {
    await writeHistory(env);
  },
} satisfies ExportedHandler<ExplorerEnv>;
