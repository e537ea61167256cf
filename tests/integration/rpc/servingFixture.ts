/**
 * Fixture of the sync server: a store on disk that the serving thread reads, and a client that begins at its pruning point
 * by peer messages alone.
 */
import * as v from "valibot";
import { KEYS_END, type Kv, type KvChange } from "@svc/node-server/storage/kv.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import type { Link } from "@svc/node-server/p2p/link/link.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { FORM_BOUNDS } from "@svc/shared/protocol/raw/formBounds.ts";
import type { P2pBlockHeader, P2pHash } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { rawBlockFrom, rawBlockOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import type { P2pContent, P2pName, P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { rawHeaderPagesOf } from "@svc/shared/protocol/p2p/p2pHeaderPages.ts";
import { historyPageOf } from "@svc/shared/protocol/p2p/p2pHistory.ts";
import { lanesMetadataOf, rawLanePageOf } from "@svc/shared/protocol/p2p/p2pLanes.ts";
import { rawNullifiersOf } from "@svc/shared/protocol/p2p/p2pNullifiers.ts";
import { rawProofOf } from "@svc/shared/protocol/p2p/p2pProof.ts";
import { rawStateClaimOf } from "@svc/shared/protocol/p2p/p2pStateClaim.ts";
import {
  bodilessHeader,
  rawTrustedPage,
  rawTrustedPagesOf,
} from "@svc/shared/protocol/p2p/p2pTrusted.ts";
import { NOW_MS } from "../engine/engineFixture.ts";
import { hashOf, historyOf, type EngineNode } from "../engine/importFixture.ts";

const view = v.object({ pruningPoint: v.string() });
const NOTHING = {};
const MAX_HEADERS = 65_536;
const LOTS = 100_000;

/** Makes one store hold what another holds, in one commit. */
export function mirror(from: Pick<Kv, "range">, to: Kv): void {
  const changes: KvChange[] = [];
  for (const { number: table } of CONSENSUS_LAYOUT.tables) {
    const all = { table, from: new Uint8Array(), to: KEYS_END, limit: LOTS };
    for (const { key } of to.range(all)) changes.push({ table, key, value: null });
    for (const { key, value } of from.range(all)) changes.push({ table, key, value });
  }
  to.commit(changes);
}

/** A hash as a message has it. */
export function wireHash(hash: string): P2pHash {
  return { bytes: decodeHex(hash) };
}

/** Sends a request and waits for one answer with one of these names. */
export async function hear<Name extends P2pName>(
  link: Link,
  payload: P2pPayload,
  names: readonly Name[],
): Promise<Extract<P2pPayload, { $case: Name }>> {
  const route = link.route(names, { capacity: LOTS });
  link.send(payload);
  const { payload: answer } = await route.next(null);
  link.unroute(names);
  return answer;
}

/** Sends a request by a route of its own and waits for a number of answers. */
export async function hearAll<Name extends P2pName>(
  link: Link,
  payload: P2pPayload,
  name: Name,
  count: number,
): Promise<P2pContent<Name>[]> {
  const { route, end } = link.converse(payload, [name], LOTS);
  const found: P2pContent<Name>[] = [];
  while (found.length < count) {
    const { payload: answer } = await route.next(null);
    found.push(answer.value as P2pContent<Name>);
  }
  end();
  return found;
}

/**
 * Imports the pruning point of the node at the other end of the link, and syncs up to that node's sink. Returns the pruning
 * point.
 */
export async function beginThere(node: EngineNode, link: Link): Promise<string> {
  const point = await takeProof(node, link);
  await takeTrusted(node, link);
  await takeBlocks(node, link, point);
  await takeLanes(node, link, point);
  await takeState(node, link, point);
  callCore(() => node.engine.finishImport());
  node.settle();
  return point;
}

async function takeProof({ engine }: EngineNode, link: Link): Promise<string> {
  const request: P2pPayload = { $case: "requestPruningPointProof", value: NOTHING };
  const { value } = await hear(link, request, ["pruningPointProof"]);
  callCore(() => engine.beginImport(rawProofOf(value)));
  for (;;) {
    const found = callCore(() => engine.importProof(FORM_BOUNDS.headers));
    if (found !== "null") return v.parse(view, JSON.parse(found)).pruningPoint;
  }
}

async function takeTrusted(node: EngineNode, link: Link): Promise<void> {
  const { engine } = node;
  const route = link.route(
    ["pruningPoints", "trustedData", "blockWithTrustedDataV4", "doneBlocksWithTrustedData"],
    { capacity: LOTS },
  );
  link.send({ $case: "requestPruningPointAndItsAnticone", value: NOTHING });
  const bodies: Uint8Array[] = [];
  const segment: P2pBlockHeader[] = [];
  let entries = 0;
  for (;;) {
    const { payload } = await route.next(null);
    if (payload.$case === "doneBlocksWithTrustedData") break;
    if (payload.$case === "pruningPoints") {
      for (const page of rawHeaderPagesOf(payload.value, MAX_HEADERS)) {
        callCore(() => engine.importPoints(page));
      }
    } else if (payload.$case === "trustedData") {
      for (const page of rawTrustedPagesOf(payload.value)) {
        callCore(() => engine.importTrusted(page));
      }
    } else {
      const header = bodilessHeader(payload.value);
      if (header !== null) segment.push(header);
      else if (payload.value.block !== undefined) bodies.push(rawBlockOf(payload.value.block));
      entries += 1;
      if (entries % 99 === 0) {
        link.send({ $case: "requestNextPruningPointAndItsAnticoneBlocks", value: NOTHING });
      }
    }
  }
  if (segment.length > 0) {
    callCore(() => engine.importTrusted(rawTrustedPage({ window: [], segment })));
  }
  while (callCore(() => engine.linkTrusted(FORM_BOUNDS.headers)) === "null");
  for (const body of bodies) callCore(() => engine.importBody(body));
}

/** The headers from a block to the sink, as pages. */
export async function headersAbove(link: Link, low: string): Promise<P2pBlockHeader[]> {
  const locator: P2pPayload = {
    $case: "requestIbdChainBlockLocator",
    value: { lowHash: undefined, highHash: undefined },
  };
  const { value } = await hear(link, locator, ["ibdChainBlockLocator"]);
  const [sink] = value.hashes;
  const found: P2pBlockHeader[] = [];
  let request: P2pPayload = {
    $case: "requestHeaders",
    value: { lowHash: wireHash(low), highHash: sink },
  };
  for (;;) {
    const page = await hear(link, request, ["blockHeaders", "doneHeaders"]);
    if (page.$case === "doneHeaders") return found;
    found.push(...page.value.blockHeaders);
    request = { $case: "requestNextHeaders", value: NOTHING };
  }
}

async function takeBlocks(node: EngineNode, link: Link, point: string): Promise<void> {
  const { engine } = node;
  const headers = await headersAbove(link, point);
  for (const page of rawHeaderPagesOf({ blockHeaders: headers }, MAX_HEADERS)) {
    callCore(() => engine.insertHeaders(page, NOW_MS));
  }
  const child = callCore(() => engine.bindingChild());
  const wanted: P2pPayload = { $case: "requestIbdBlocks", value: { hashes: [wireHash(child)] } };
  const { value } = await hear(link, wanted, ["ibdBlock"]);
  callCore(() => engine.importBinding(rawBlockOf(value)));
  const hashes = headers.map((header) => hashOf(rawBlockFrom(header, [])));
  for (let at = 0; at < hashes.length; at += 99) {
    const part = hashes.slice(at, at + 99);
    const request: P2pPayload = {
      $case: "requestBlockBodies",
      value: { hashes: part.map(wireHash) },
    };
    const bodies = await hearAll(link, request, "blockBody", part.length);
    for (const [place, { transactions }] of bodies.entries()) {
      const header = headers[at + place];
      if (header !== undefined) node.insert(rawBlockFrom(header, transactions));
    }
  }
}

async function takeLanes({ engine }: EngineNode, link: Link, point: string): Promise<void> {
  const route = link.route(["smtMetadata", "smtLaneChunk"], { capacity: LOTS });
  link.send({ $case: "requestPruningPointSmtState", value: { hash: wireHash(point) } });
  let [left, chunks] = [0n, 0];
  do {
    const { payload } = await route.next(null);
    if (payload.$case === "smtMetadata") {
      left = payload.value.activeLanesCount;
      callCore(() => engine.importLanes(lanesMetadataOf(payload.value).claim));
    } else {
      left -= BigInt(payload.value.entries.length);
      callCore(() => engine.importLanePage(rawLanePageOf(payload.value)));
      chunks += 1;
      if (left > 0n && chunks % 10 === 0) {
        link.send({ $case: "requestNextPruningPointSmtChunk", value: NOTHING });
      }
    }
  } while (left > 0n);
}

async function takeState({ engine }: EngineNode, link: Link, point: string): Promise<void> {
  const route = link.route(["shieldedMetadata", "shieldedNullifierChunk"], { capacity: LOTS });
  link.send({ $case: "requestPruningPointShieldedState", value: { hash: wireHash(point) } });
  let left = 0n;
  do {
    const { payload } = await route.next(null);
    if (payload.$case === "shieldedMetadata") {
      left = payload.value.nullifierCount;
      callCore(() => engine.importState(rawStateClaimOf(payload.value, 0n).claim));
    } else {
      left -= BigInt(payload.value.nullifiers.length);
      callCore(() => engine.importNullifiers(rawNullifiersOf(payload.value)));
    }
  } while (left > 0n);
}

/** Brings in the history from before the beginning. Returns how many chunks it took. */
export async function fetchHistory({ engine }: EngineNode, link: Link): Promise<number> {
  let [chunks, lowest]: [number, Uint8Array | null] = [0, null];
  for (;;) {
    const progress = historyOf(callCore(() => engine.historyProgress()));
    if (progress.kind === "complete") return chunks;
    if (progress.kind === "working") {
      callCore(() => engine.historyStep(FORM_BOUNDS.headers));
      continue;
    }
    const anchorHash: Uint8Array = lowest ?? decodeHex(progress.base);
    // The first record is that of the block asked for, which is here after the first chunk.
    const request: P2pPayload = {
      $case: "requestShieldedHistory",
      value: { anchorHash, maxBlocks: 6 },
    };
    const { value } = await hear(link, request, ["shieldedHistoryChunk"]);
    const entries = lowest === null ? value.entries : value.entries.slice(1);
    const page = historyPageOf({ ...value, entries });
    if (page.count === 0) throw new Error(`no history below ${encodeHex(anchorHash)}`);
    callCore(() => engine.importHistory(page.records));
    lowest = page.lowest;
    chunks += 1;
  }
}
