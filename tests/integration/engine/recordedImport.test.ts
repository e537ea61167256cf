/** Import of a recorded initial sync from a node of the reference, through the message codecs. */
import { expect, test } from "vitest";
import { readResolveOutcome } from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { readTipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { rawBlockFrom, rawBlockOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import {
  readEnvelope,
  type P2pContent,
  type P2pName,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { rawHeaderPagesOf } from "@svc/shared/protocol/p2p/p2pHeaderPages.ts";
import { lanesMetadataOf, rawLanePageOf } from "@svc/shared/protocol/p2p/p2pLanes.ts";
import { rawProofOf } from "@svc/shared/protocol/p2p/p2pProof.ts";
import { rawStateClaimOf } from "@svc/shared/protocol/p2p/p2pStateClaim.ts";
import { rawTrustedPagesOf } from "@svc/shared/protocol/p2p/p2pTrusted.ts";
import { recordedWire, recordedWireProfile } from "../../vectors/recordedWire.ts";
import { core, NOW_MS } from "./engineFixture.ts";

/** Number of the recorded pruning point in the chain, which the recording does not say: one block for each score. */
const POINT_INDEX = 8_000n;
const MAX_HEADERS = 2_000;

/** The messages of a name, in their order. */
function contents<Name extends P2pName>(rows: readonly string[], name: Name): P2pContent<Name>[] {
  return rows.flatMap((hex) => {
    const { payload } = readEnvelope(decodeHex(hex));
    return payload?.$case === name ? [payload.value as P2pContent<Name>] : [];
  });
}

function one<Name extends P2pName>(rows: readonly string[], name: Name): P2pContent<Name> {
  const [first, second] = contents(rows, name);
  if (first === undefined || second !== undefined) throw new Error(`not one ${name}`);
  return first;
}

/** Everything up to the blocks above the pruning point. */
function importHeaders(engine: RawEngine, rows: readonly string[]): void {
  engine.beginImport(rawProofOf(one(rows, "pruningPointProof")));
  while (engine.importProof(1_000) === "null");
  const points = rawHeaderPagesOf(one(rows, "pruningPoints"), MAX_HEADERS);
  expect(points.map((page) => engine.importPoints(page)).at(-1)).toBe(true);
  for (const page of rawTrustedPagesOf(one(rows, "trustedData"))) engine.importTrusted(page);
  while (engine.linkTrusted(500) === "null");
  const { block } = one(rows, "blockWithTrustedDataV4");
  if (block === undefined) throw new Error("no block");
  expect(JSON.parse(engine.importBody(rawBlockOf(block)))).toEqual({
    needVerdicts: [],
    missing: 0,
  });
}

function importState(engine: RawEngine, rows: readonly string[]): void {
  engine.importLanes(lanesMetadataOf(one(rows, "smtMetadata")).claim);
  engine.importLanePage(rawLanePageOf(one(rows, "smtLaneChunk")));
  const { claim, stateRoot } = rawStateClaimOf(one(rows, "shieldedMetadata"), POINT_INDEX);
  expect(stateRoot).toHaveLength(32);
  engine.importState(claim);
  // The reference has nothing that binds anchors from before the security fork.
  expect(engine.wantsBindings()).toBe(true);
  engine.waiveBindings();
  engine.finishImport();
}

test("the recorded initial sync is imported as it was sent", () => {
  const rows = recordedWire().map(({ hex }) => hex);
  const profile = core.canonicalProfile(recordedWireProfile());
  const engine = callCore(() => new core.Engine(kvHostStore(new MemoryKv()), profile));
  callCore(() => importHeaders(engine, rows));
  const pages = contents(rows, "blockHeaders");
  for (const page of pages.flatMap((each) => rawHeaderPagesOf(each, MAX_HEADERS))) {
    callCore(() => engine.insertHeaders(page, NOW_MS));
  }
  callCore(() => engine.importBinding(rawBlockOf(one(rows, "ibdBlock"))));
  const bodies = contents(rows, "blockBody");
  for (const [at, header] of pages.flatMap(({ blockHeaders }) => blockHeaders).entries()) {
    const raw = rawBlockFrom(header, bodies[at]?.transactions ?? []);
    expect(callCore(() => engine.insertBlock(raw, header.timestamp))).toContain('"accepted"');
  }
  callCore(() => importState(engine, rows));
  while (!readResolveOutcome(callCore(() => engine.resolve(100))).done);
  const [sink] = one(rows, "ibdChainBlockLocator").hashes;
  const expected = encodeHex(sink?.bytes ?? new Uint8Array());
  expect(readTipFacts(callCore(() => engine.tip())).sink).toBe(expected);
  engine.free();
});
