/** Bindings that the tests have beside those of the gateway. */
import type { D1Migration } from "cloudflare:test";
import type { GatewayEnv } from "../gateway/gatewayEnv.ts";
import type { ProbeObject } from "./testWorker.ts";

/** The environment of the tests. */
export type TestEnv = GatewayEnv & {
  readonly PROBES: DurableObjectNamespace<ProbeObject>;
  readonly MIGRATIONS: D1Migration[];
};

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the receiver of webhooks, without a slash at its end. */
    receiver: string;
  }
}

declare global {
  namespace Cloudflare {
    interface Env extends TestEnv {}
  }
}
