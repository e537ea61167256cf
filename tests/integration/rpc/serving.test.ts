/** A node that pruned serves its pruning point from disk, and another begins there with nothing but messages. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import type { Kv } from "@svc/node-server/storage/kv.ts";
import { createServing } from "@svc/node-server/p2p/serve/createServing.ts";
import {
  fetchBinding,
  fetchLanes,
  fetchProof,
  fetchState,
  fetchTrusted,
  type PointParts,
} from "@svc/node-server/p2p/sync/fetchPoint.ts";
import { headerHash } from "@svc/node-server/p2p/head/headerHash.ts";
import { fetchHeaders } from "@svc/node-server/p2p/sync/fetchHeaders.ts";
import { SyncMeter } from "@svc/node-server/p2p/sync/syncMeter.ts";
import { readInsertOutcomes } from "@svc/node-server/engine/calls/engineFacts.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { linkedPeer } from "@svc/node-server/p2p/testkit/linkedPeer.ts";
import type { Link } from "@svc/node-server/p2p/link/link.ts";
import type { Route } from "@svc/node-server/p2p/link/route.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rawBlockFrom, rawBlockOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { LaneProofs } from "@svc/shared/protocol/p2p/p2pLaneProofs.ts";
import { rawLanePageOf } from "@svc/shared/protocol/p2p/p2pLanes.ts";
import { OWN_SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { core, NOW_MS } from "../engine/engineFixture.ts";
import { EngineNode, hashOf, SourceNode } from "../engine/importFixture.ts";
import {
  beginThere,
  fetchHistory,
  headersAbove,
  hear,
  hearAll,
  mirror,
  wireHash,
} from "./servingFixture.ts";
import { stagedOver } from "../engine/stagedNode.ts";
import { smallNetwork } from "../node/smallNetwork.ts";

/** Rounds of two blocks until the pruning point has moved once. */
const ROUNDS = 97;

const { path: root, remove } = temporaryFolder();
const source = new SourceNode();
const clock = new ManualClock(0n);
let store: Kv;
let serving: ReturnType<typeof createServing>;

beforeAll(async () => {
  source.mine(ROUNDS);
  source.prune();
  ({ store } = await openStore(root, CONSENSUS_LAYOUT));
  mirror(source.store, store);
  serving = createServing({
    root,
    profile: core.canonicalProfile(smallNetwork()),
    // Nothing here may ask it.
    engine: {
      ask: () => Promise.reject(new SvcError("internal/unexpected", { message: "asked" })),
    },
    clock,
    log: createLog("silent"),
  });
  serving.host.start();
});

afterAll(async () => {
  await serving.host.stop();
  await store.close();
  remove();
});

function connect(key: string): Link {
  const { remote, start } = linkedPeer(clock, serving.flows, key, {
    services: OWN_SERVICES,
  });
  start();
  return remote;
}

/** Asks, and hears what a question for headers is answered with. */
function remoteRoute(link: Link, payload: P2pPayload): Route<"blockHeaders" | "doneHeaders"> {
  const route = link.route(["blockHeaders", "doneHeaders"]);
  link.send(payload);
  return route;
}

describe("serving a pruning point", () => {
  it("lets another node begin there and get what came before", async () => {
    const link = connect("new");
    const node = new EngineNode();
    expect(await beginThere(node, link)).toBe(source.tip().pruningPoint);
    expect(node.tip().sink).toBe(source.tip().sink);
    expect(node.tip().historyComplete).toBe(false);
    expect(await fetchHistory(node, link)).toBeGreaterThan(1);
    expect(node.tip()).toMatchObject({ historyComplete: true, historyFromDaaScore: 0n });
    expect(link.signal.aborted).toBe(false);
  });

  it("answers everything about the graph above it", async () => {
    const link = connect("reader");
    const { pruningPoint, sink } = source.tip();
    const headers = await headersAbove(link, pruningPoint);
    const hashes = headers.map((header) => hashOf(rawBlockFrom(header, [])));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.at(-1)).toBe(sink);
    const last = hashes.slice(-3);
    const request = { hashes: last.map(wireHash) };
    const blocks = await hearAll(
      link,
      { $case: "requestRelayBlocks", value: request },
      "block",
      last.length,
    );
    expect(blocks.map((block) => hashOf(rawBlockOf(block)))).toEqual(last);
    const between = { blockHash: wireHash(pruningPoint), contextHash: wireHash(sink) };
    const antipast = remoteRoute(link, { $case: "requestAntipast", value: between });
    const page = await antipast.next(null);
    expect(page.payload).toEqual({ $case: "blockHeaders", value: { blockHeaders: headers } });
    expect((await antipast.next(null)).payload.$case).toBe("doneHeaders");
    const [locator] = await hearAll(
      link,
      { $case: "requestBlockLocator", value: { highHash: wireHash(sink), limit: 5 } },
      "blockLocator",
      1,
    );
    expect(encodeHex(locator?.hashes[0]?.bytes ?? new Uint8Array())).toBe(sink);
    expect(locator?.hashes).toHaveLength(5);
    const coins = await hear(
      link,
      { $case: "requestPruningPointUtxoSet", value: { hash: wireHash(pruningPoint) } },
      ["pruningPointUtxoSetChunk"],
    );
    expect(coins.value.outpointAndUtxoEntryPairs).toEqual([]);
  });

  it("speaks with the other half of this program", async () => {
    const link = connect("half");
    const node = new EngineNode();
    const { signal } = link;
    const steadyMs = (): bigint => clock.steadyMs();
    const meter = new SyncMeter(clock);
    const hashOf: PointParts["hashOf"] = (header) => headerHash(core, header);
    const parts = { link, staged: stagedOver(node), hashOf, meter, steadyMs, signal };
    const { pruningPoint } = await fetchProof(parts);
    const header = await fetchTrusted(parts, { point: pruningPoint, ownPoint: null });
    expect(pruningPoint).toBe(source.tip().pruningPoint);
    const insert = async (raw: Uint8Array) =>
      readInsertOutcomes(callCore(() => node.engine.insertHeaders(raw, NOW_MS)));
    const onProgress = (): void => {};
    const high = asBlockHash(source.tip().sink);
    await fetchHeaders({ link, insert, onProgress, steadyMs, signal }, { low: pruningPoint, high });
    while (!callCore(() => node.engine.importChain(64)));
    await fetchBinding(parts);
    await fetchLanes(parts, pruningPoint);
    await fetchState(parts, pruningPoint, header.blueScore);
    callCore(() => node.engine.finishImport());
    expect(node.tip()).toMatchObject({ pruningPoint, headersTip: high });
  });

  it("proves the lanes against the root that binds them", async () => {
    const link = connect("lanes");
    const route = link.route(["smtMetadata", "smtLaneChunk"]);
    const hash = wireHash(source.tip().pruningPoint);
    link.send({ $case: "requestPruningPointSmtState", value: { hash } });
    const [metadata, chunk] = [await route.next(null), await route.next(null)];
    if (metadata.payload.$case !== "smtMetadata" || chunk.payload.$case !== "smtLaneChunk") {
      throw new Error("other messages");
    }
    const { entries } = chunk.payload.value;
    expect(BigInt(entries.length)).toBe(metadata.payload.value.activeLanesCount);
    const proofs = new LaneProofs(rawLanePageOf(chunk.payload.value));
    expect(proofs.root()).toEqual(metadata.payload.value.data.slice(0, 32));
    expect(entries[0]?.proof).toEqual(proofs.proofOf(0));
  });

  it("says so when the point is another one, and moves with it", async () => {
    const link = connect("mover");
    const before = source.tip().pruningPoint;
    const lanes = (point: string, on = link) =>
      hear(on, { $case: "requestPruningPointSmtState", value: { hash: wireHash(point) } }, [
        "smtMetadata",
        "smtLaneChunk",
        "unexpectedPruningPoint",
      ]);
    expect(await lanes(source.tip().sink)).toMatchObject({ $case: "unexpectedPruningPoint" });
    // What is made for one point is not kept for the next one.
    expect(await lanes(before, connect("earlier"))).toMatchObject({ $case: "smtMetadata" });
    source.mine(20);
    source.prune();
    mirror(source.store, store);
    const { pruningPoint } = source.tip();
    expect(pruningPoint).not.toBe(before);
    expect(await lanes(before)).toMatchObject({ $case: "unexpectedPruningPoint" });
    const node = new EngineNode();
    expect(await beginThere(node, connect("later"))).toBe(pruningPoint);
    expect(node.tip().sink).toBe(source.tip().sink);
  });

  it("ends the link of whoever asks for what is not there", async () => {
    const unknown = "ab".repeat(32);
    const { remote, peer, start } = linkedPeer(clock, serving.flows, "wrong");
    start();
    remote.send({ $case: "requestIbdBlocks", value: { hashes: [wireHash(unknown)] } });
    expect(await peer.link.ended).toMatchObject({ code: "chain/unknown-block" });
  });
});
