/** Measured program of the benchmark `gateway`: the gateway over a node, and its scanners alone, asked with lines of JSON. */
import { createInterface } from "node:readline";
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import { startGateway, type Gateway } from "@svc/node-server/gateway/startGateway.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { coreError } from "@svc/shared/core/callCore.ts";
import { seenTimes, type SeenPlan } from "./seenTimes.ts";

/** A line of standard input. */
type Request =
  | ({ readonly op: "start" } & GatewayPlace)
  | ({ readonly op: "seen" } & SeenPlan)
  | { readonly op: "stop" };

type GatewayPlace = {
  /** Folder of the gateway, with a merchant in it. */
  readonly folder: string;
  readonly profileFile: string;
  /** `host:port` of the node. */
  readonly node: string;
};

const core = await loadCoreFile();
let gateway: Gateway | null = null;

/** Without limits: what one core makes is measured, not what one caller may ask for. */
async function start({ folder, profileFile, node }: GatewayPlace): Promise<object> {
  gateway = await startGateway({
    core,
    profile: loadNetwork(core, { file: profileFile }),
    ...{
      folder,
      node,
      scanThreads: 1,
      trustsNode: false,
      checkpoints: new Map(),
      pages: null,
      publicUrl: null,
    },
    ...{ webhookReach: "loopback", webhook: null },
    prices: { rate: async () => null, rates: async () => [] },
    server: {
      ...{ host: "127.0.0.1", port: 0, option: "--gateway-listen" },
      ...{ rules: OWN_PAGES, hasLimits: false },
    },
    clock: systemClock,
    log: createLog("warn"),
  });
  return { address: gateway.address };
}

async function answer(request: Request): Promise<object> {
  switch (request.op) {
    case "start":
      return start(request);
    case "seen":
      return { times: await seenTimes(core, request) };
    case "stop":
      await gateway?.stop();
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((thrown: unknown) => ({
    error: coreError(thrown).message,
  }));
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
