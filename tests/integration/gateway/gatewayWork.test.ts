/** The gateway's scan over a node of a network that asks for work, 16 hashes a block: what it proves is told in blocks of that work. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { keepStep } from "@svc/node-server/gateway/desk/keepStep.ts";
import { GatewayChain } from "@svc/node-server/gateway/gatewayChain.ts";
import { networkWork } from "@svc/node-server/gateway/proof/networkWork.ts";
import { UNPROVED, type ScanProof } from "@svc/node-server/gateway/proof/scanProof.ts";
import { GatewayStore } from "@svc/node-server/gateway/store/gatewayStore.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ScanThreads } from "@svc/node-server/scanning/scanThreads.ts";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import type { Checkpoints } from "@svc/shared/light/checkpointOf.ts";
import { provedUpTo, type ChainDepth } from "@svc/shared/light/workLadder.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { knownWork } from "../../testkit/knownWork.ts";
import { core, recipient } from "../engine/engineFixture.ts";
import { never, startJudgingNode } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";

const PROFILE = fileURLToPath(new URL("../../profiles/worked.json", import.meta.url));
const BLOCKS = 40;
/** A header that takes 262,144 hashes. */
const HARD_BITS = 0x1e_40_00_00;
const WEEK_MS = 604_800_000n;
const profileJson = loadNetwork(core, { file: PROFILE }).canonicalJson;
const log = createLog("silent");

let node: RunningNode;
let scan: ScanThreads;

async function mine(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    const wish = { payScript: recipient(7), extraData: new Uint8Array() };
    const block = decodeRawBlock(await node.api.template(wish, never));
    for (let nonce = 0n; ; nonce += 1n) {
      const header = { ...block.header, nonce };
      const outcome = await node.api.submitBlock(encodeRawBlock({ ...block, header }), never);
      if (outcome.kind === "accepted") break;
      if (outcome.kind !== "rejected" || outcome.code !== "header/invalid-pow") {
        throw new Error(JSON.stringify(outcome));
      }
    }
  }
}

/** The work that the operator knows, so many weeks old: that of the network where nothing else is said. */
function known(bits?: number, weeks = 0n): Promise<Checkpoints> {
  const nowMs = systemClock.nowMs() - weeks * WEEK_MS;
  return knownWork(profileJson, { nowMs, ...(bits === undefined ? {} : { bits }) });
}

/** A scan with nobody's keys; `before` is what an earlier start proved. */
async function follow(before: ScanProof | null, checkpoints: Promise<Checkpoints> = known()) {
  const store = await GatewayStore.open(null, null);
  const port = new RpcNode(node.grpcAddress ?? "", { core, profileJson });
  let depth: ChainDepth = { tip: null, ladder: null };
  let looks = 0;
  const chain = new GatewayChain({
    ...{ core, profileJson, node: port, scan, trustsNode: false, view: [], log },
    work: networkWork(core, profileJson, await checkpoints),
    clock: systemClock,
    proof: { read: () => before ?? store.proof.read(), leaves: () => store.proof.leaves() },
    receipts: store.receipts,
    commit: (step, recent) => store.commit((batch) => void keepStep(store, batch, step, recent)),
    takePool: async () => undefined,
    endPoolLook: async () => undefined,
    onCut: () => undefined,
    onTip: (now) => {
      depth = now;
      looks += 1;
    },
  });
  chain.start();
  return {
    chain,
    looks: () => looks,
    depth: () => depth,
    stop: async () => {
      await chain.stop();
      port.close();
      await store.close();
    },
  };
}

beforeAll(async () => {
  node = await startJudgingNode(null, {
    network: { file: PROFILE },
    allowUnsyncedMining: true,
    clock: systemClock,
  });
  scan = new ScanThreads({ profileJson, threads: 1, log });
  await mine(BLOCKS);
});
afterAll(async () => {
  await scan.stop();
  await node.stop();
});

describe("a gateway over a chain with work", () => {
  it("counts the work above a state in blocks, and goes on as blocks come", async () => {
    const { depth, stop } = await follow(null);
    await untilFound(() => depth().tip === BigInt(BLOCKS));
    const { ladder } = depth();
    if (ladder === null) throw new Error("nothing is proved");
    expect(provedUpTo(ladder, 1n)).toBe(BigInt(BLOCKS - 1));
    expect(provedUpTo(ladder, 8n)).toBe(BigInt(BLOCKS - 9));
    expect(provedUpTo(ladder, BigInt(BLOCKS))).toBeNull();
    await mine(5);
    const more = await untilFound(() => depth().tip === BigInt(BLOCKS + 5) && depth().ladder);
    expect(provedUpTo(more, 13n)).toBe(BigInt(BLOCKS - 9));
    await stop();
  });

  it("makes nothing deep where nobody told it the network's work, and says so", async () => {
    const { chain, depth, stop } = await follow(null, Promise.resolve(new Map()));
    await untilFound(() => (depth().tip ?? 0n) >= BigInt(BLOCKS));
    expect(depth().ladder).toEqual({ believedTo: null, steps: [] });
    expect(chain.problem?.code).toBe("evidence/unknown-work");
    expect(chain.verdict?.code).toBe("evidence/unknown-work");
    await stop();
  });

  it.each([
    [4n, "evidence/too-easy"],
    [18n, null],
    [52n, null],
  ])(
    "makes nothing deep under headers that are cheap beside the work of %s weeks ago",
    async (weeks, fault) => {
      const { chain, depth, looks, stop } = await follow(null, known(HARD_BITS, weeks));
      await untilFound(() =>
        fault === null ? (depth().tip ?? 0n) >= BigInt(BLOCKS) : looks() > 0,
      );
      const { ladder } = depth();
      if (ladder === null) throw new Error("the node is not believed");
      expect(provedUpTo(ladder, 1n)).toBeNull();
      expect(chain.problem?.code ?? null).toBe(fault);
      await stop();
    },
  );

  it("takes headers that are easier than the floor for none", async () => {
    const floor = { bits: HARD_BITS, setMs: asTimestampMs(systemClock.nowMs()) };
    const { chain, depth, looks, stop } = await follow({ ...UNPROVED, floor });
    await untilFound(() => looks() > 0);
    expect(chain.problem?.code).toBe("evidence/too-easy");
    expect(depth()).toEqual({ tip: null, ladder: { believedTo: null, steps: [] } });
    await stop();
  });
});
