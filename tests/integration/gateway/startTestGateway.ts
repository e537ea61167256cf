/** Test helper: the gateway over a node of simnet, as a program runs it, on a port of the system's choice. */
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import { startGateway, type Gateway } from "@svc/node-server/gateway/startGateway.ts";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { core } from "../engine/engineFixture.ts";

/** Starts it over the node at a gRPC address; `folder` has its merchants and keys. */
export function startTestGateway(
  node: string | null,
  folder: string,
  trustsNode = false,
): Promise<Gateway> {
  return startGateway({
    pages: null,
    core,
    profile: loadNetwork(core, { name: "simnet" }),
    folder,
    node: node ?? "",
    trustsNode,
    checkpoints: new Map(),
    scanThreads: 1,
    publicUrl: null,
    webhookReach: "loopback",
    webhook: null,
    prices: { rate: async () => null, rates: async () => [] },
    server: {
      host: "127.0.0.1",
      port: 0,
      option: "--gateway-listen",
      rules: OWN_PAGES,
      hasLimits: true,
    },
    clock: systemClock,
    log: createLog("silent"),
  });
}
