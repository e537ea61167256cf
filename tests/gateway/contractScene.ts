/** What each test of the contract works with: a gateway of its own, and a merchant who has every right. */
import { afterEach, beforeEach } from "vitest";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";

/** The scene of the test that runs. */
export type ContractScene = {
  readonly host: GatewayHost;
  readonly shop: GatewayCaller;
  /** The merchant's API key. */
  readonly key: string;
};

/** Makes a scene anew for each test of the suite that it is called in. */
export function contractScene(make: () => Promise<GatewayHost>): ContractScene {
  let host: GatewayHost;
  let key: string;
  beforeEach(async () => {
    host = await make();
    key = await host.issueKey("shop", KEY_SCOPES);
  });
  afterEach(() => host.close());
  return {
    get host() {
      return host;
    },
    get shop() {
      return new GatewayCaller(host, key);
    },
    get key() {
      return key;
    },
  };
}
