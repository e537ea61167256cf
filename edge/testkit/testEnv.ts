/** Bindings that the tests have: those of the gateway or of the explorer, and some beside them. */
import type { D1Migration } from "cloudflare:test";
import type { ExplorerEnv } from "../explorer/origin/explorerEnv.ts";
import type { GatewayEnv } from "../gateway/gatewayEnv.ts";
import type { ProbeObject } from "./testWorker.ts";

/** The environment of the gateway's tests. */
export type TestEnv = GatewayEnv & {
  readonly PROBES: DurableObjectNamespace<ProbeObject>;
  readonly MIGRATIONS: D1Migration[];
};

/** The environment of the explorer's tests. */
export type ExplorerTestEnv = ExplorerEnv & {
  /** Address of the nodes that answer it, without a slash at its end. */
  readonly STAND_INS: string;
};

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the receiver of webhooks, without a slash at its end. */
    receiver: string;
  }
}

declare global {
  namespace Cloudflare {
    interface Env extends TestEnv, ExplorerTestEnv {}
  }
}
