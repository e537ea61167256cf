/** The HTTP route `GET /v1/start?index=N`: a chain block at which a wallet can begin to scan (docs/formats.md 4). */
import { parseU64 } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { StartBlock } from "@svc/shared/wallet/state/ports.ts";
import type { NodeApi } from "../service/nodeApi.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";
import { startAt } from "../service/startBlock.ts";
import type { HttpRoutes } from "../../platform/http/httpEnv.ts";

/** Adds the route. Answers 404 `chain/unknown-block` above the tip. */
export function addStart(app: HttpRoutes, node: NodeApi): void {
  app.get("/start", async (c) => {
    const asked = c.req.query("index");
    if (asked === undefined) throw new SvcError("http/bad-request", { reason: "index is missing" });
    const index = parseU64(asked);
    const { signal } = c.req.raw;
    const tip = await askFacts(node, "tip", [], signal);
    return c.json(startJson(await startAt(node, index, tip, signal)));
  });
}

/** The answer as it goes over the wire: numbers as decimal text, the tree as hex. */
function startJson(block: StartBlock): Record<keyof StartBlock, string> {
  return {
    hash: block.hash,
    chainIndex: String(block.chainIndex),
    blueScore: String(block.blueScore),
    daaScore: String(block.daaScore),
    timestamp: String(block.timestamp),
    tree: encodeHex(block.tree),
  };
}
