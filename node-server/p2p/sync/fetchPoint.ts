/**
 * Downloads a peer's pruning point (proof, trusted data, lanes, state) and hands each part to an import, in the order in which
 * it is proved (specification network 1.8 D, I, J; decision record 17).
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { equalBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pTrustedBlock } from "@svc/shared/protocol/p2p/generated/p2pMessages.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { rawAnchorBindingsOf } from "@svc/shared/protocol/p2p/p2pAnchorBindings.ts";
import { rawBlockOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import type { P2pName, P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { badField, requiredField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import { rawHeaderPagesOf } from "@svc/shared/protocol/p2p/p2pHeaderPages.ts";
import { lanesMetadataOf, rawLanePageOf } from "@svc/shared/protocol/p2p/p2pLanes.ts";
import { rawNullifiersOf } from "@svc/shared/protocol/p2p/p2pNullifiers.ts";
import { rawProofOf } from "@svc/shared/protocol/p2p/p2pProof.ts";
import { rawStateClaimOf } from "@svc/shared/protocol/p2p/p2pStateClaim.ts";
import {
  bodilessHeader,
  rawTrustedPage,
  rawTrustedPagesOf,
} from "@svc/shared/protocol/p2p/p2pTrusted.ts";
import { FORM_BOUNDS } from "@svc/shared/protocol/raw/formBounds.ts";
import type { ProofView } from "../../engine/calls/importCalls.ts";
import type { StagedImport } from "../../engine/import/stagedImport.ts";
import type { Link } from "../link/link.ts";
import type { Route } from "../link/route.ts";
import { hashesIn } from "./hashList.ts";
import { ThroughputTimeout } from "./throughputTimeout.ts";
import type { SyncMeter } from "./syncMeter.ts";
import { askOne, holdConversation } from "./holdConversation.ts";

/** Dependencies of the download. */
export type PointParts = {
  readonly link: Link;
  readonly staged: Pick<
    StagedImport,
    | "proof"
    | "points"
    | "trusted"
    | "link"
    | "body"
    | "bindingChild"
    | "binding"
    | "lanes"
    | "lanePage"
    | "state"
    | "nullifiers"
    | "ask"
  >;
  /** Hash of the header of a message. */
  readonly hashOf: (header: P2pBlockHeader) => BlockHash;
  readonly meter: SyncMeter;
  readonly steadyMs: () => bigint;
  readonly signal: AbortSignal;
};

/** Downloads the pruning proof and has it judged. */
export async function fetchProof({ link, staged, meter, signal }: PointParts): Promise<ProofView> {
  meter.begin("proof");
  const proof = await askProof(link, P2P_LIMITS.syncProofMs, signal);
  if (proof === null) throw moved();
  return staged.proof(proof, signal);
}

/** Downloads the proof of a peer's pruning point in its raw form; null where the peer has none to give. */
export async function askProof(
  link: Link,
  waitMs: number,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const answers = ["pruningPointProof", "unexpectedPruningPoint"] as const;
  const payload = { $case: "requestPruningPointProof", value: {} } as const;
  const answer = await askOne(link, { payload, answers, waitMs, signal });
  return answer.$case === "pruningPointProof" ? rawProofOf(answer.value) : null;
}

const TRUSTED = [
  "pruningPoints",
  "trustedData",
  "blockWithTrustedDataV4",
  "doneBlocksWithTrustedData",
  "unexpectedPruningPoint",
] as const;
type TrustedName = (typeof TRUSTED)[number];

/** The pruning point of the peer's proof, and the one of this node if it is final here. */
export type Points = { readonly point: BlockHash; readonly ownPoint: BlockHash | null };

/**
 * Downloads the headers around the pruning point and the bodies beside it. Returns the header of the point. Rejects with
 * `sync/finality-conflict` when a point that is final here is not among those before it, and with `export/moved` when the
 * peer's pruning point moved since its proof: nobody's fault.
 */
export async function fetchTrusted(
  parts: PointParts,
  { point: proved, ownPoint }: Points,
): Promise<P2pBlockHeader> {
  const { link, staged, meter, signal } = parts;
  const receiving = receivingOf(parts);
  meter.begin("trusted");
  const payload = { $case: "requestPruningPointAndItsAnticone", value: {} } as const;
  const capacity = P2P_LIMITS.syncBatchBlocks + TRUSTED.length;
  const [point, bodies] = await holdConversation(
    link,
    { payload, answers: TRUSTED, capacity },
    async (route) => {
      const { blockHeaders } = (await nextOf(route, "pruningPoints", receiving)).value;
      if (isBehind(parts, blockHeaders, proved)) throw moved();
      await takePoints(parts, blockHeaders);
      if (ownPoint !== null) await requireOwn(parts, blockHeaders, ownPoint);
      for (const page of rawTrustedPagesOf((await nextOf(route, "trustedData", receiving)).value)) {
        await staged.trusted(page, signal);
      }
      return [blockHeaders.at(-1), await takeBlocks(parts, route, receiving)] as const;
    },
  );
  await staged.link(signal);
  for (const body of bodies) await staged.body(body, signal);
  return requiredField("blockHeaders", point);
}

async function takePoints(
  { staged, signal }: PointParts,
  blockHeaders: P2pBlockHeader[],
): Promise<void> {
  let isWhole = false;
  for (const page of rawHeaderPagesOf({ blockHeaders }, P2P_LIMITS.syncPoints)) {
    isWhole = await staged.points(page, signal);
  }
  if (!isWhole) throw badField("blockHeaders", "the pruning point of the proof is not among them");
}

/** Whether the list goes on above a point. Judging a proof takes minutes; a point moves about once a day. */
function isBehind(
  { hashOf }: PointParts,
  points: readonly P2pBlockHeader[],
  point: BlockHash,
): boolean {
  const newest = points.slice(-P2P_LIMITS.syncNewestPoints).map(hashOf);
  return newest.includes(point) && newest.at(-1) !== point;
}

/** Every point but the newest ones is named by one after it. */
function isNamed(points: readonly P2pBlockHeader[], point: BlockHash): boolean {
  const bytes = decodeHex(point);
  return points.some(
    ({ pruningPoint }) => pruningPoint !== undefined && equalBytes(pruningPoint.bytes, bytes),
  );
}

/** The newest ones are asked for by number. */
async function requireOwn(
  { staged, signal }: PointParts,
  points: readonly P2pBlockHeader[],
  ownPoint: BlockHash,
): Promise<void> {
  if (isNamed(points, ownPoint)) return;
  const newest = await staged.ask("pruningPoints", [P2P_LIMITS.syncNewestPoints], signal);
  if (!hashesIn(newest).includes(ownPoint)) throw new SvcError("sync/finality-conflict", {});
}

/** Takes the stream of blocks: first those with bodies, which are returned, then headers of the chain below. */
async function takeBlocks(
  parts: PointParts,
  route: Route<TrustedName>,
  { timeout }: Receiving,
): Promise<readonly Uint8Array[]> {
  const { link, staged, meter, signal } = parts;
  const bodies: Uint8Array[] = [];
  let [segment, bytes]: [P2pBlockHeader[], number] = [[], 0];
  const flush = async (): Promise<void> => {
    if (segment.length > 0) await staged.trusted(rawTrustedPage({ window: [], segment }), signal);
    segment = [];
  };
  for (let count = 1; ; count += 1) {
    const { payload } = await route.next(timeout.waitMs, signal);
    timeout.add(1);
    if (payload.$case === "doneBlocksWithTrustedData") break;
    const { value } = requireName(payload, "blockWithTrustedDataV4");
    const header = bodilessHeader(value);
    if (header === null) {
      if (segment.length > 0) throw badField("block", "a body comes behind bare headers");
      const raw = bodyOf(value);
      bytes += raw.length;
      if (bytes > P2P_LIMITS.syncBodyBytes) throw badField("block", "there are too many bodies");
      bodies.push(raw);
    } else if (segment.push(header) >= FORM_BOUNDS.trustedPage) await flush();
    meter.add(1);
    if (count % P2P_LIMITS.syncBatchBlocks === 0) {
      link.send({ $case: "requestNextPruningPointAndItsAnticoneBlocks", value: {} });
    }
  }
  await flush();
  return bodies;
}

function bodyOf({ block }: P2pTrustedBlock): Uint8Array {
  return rawBlockOf(requiredField("block", block));
}

/** Downloads the block whose body binds the state. */
export async function fetchBinding({ link, staged, signal }: PointParts): Promise<void> {
  const child = await staged.bindingChild(signal);
  const { value } = await askOne(link, {
    payload: { $case: "requestIbdBlocks", value: { hashes: [{ bytes: decodeHex(child) }] } },
    answers: ["ibdBlock"],
    waitMs: P2P_LIMITS.syncStallMs,
    signal,
  });
  await staged.binding(rawBlockOf(value), signal);
}

/** Downloads the lanes. */
export async function fetchLanes(parts: PointParts, point: BlockHash): Promise<void> {
  const { link, staged, meter, signal } = parts;
  const receiving = receivingOf(parts);
  const payload = { $case: "requestPruningPointSmtState", value: wireHash(point) } as const;
  const answers = ["smtMetadata", "smtLaneChunk", "unexpectedPruningPoint"] as const;
  await holdConversation(
    link,
    { payload, answers, capacity: P2P_LIMITS.syncChunks + 1 },
    async (route) => {
      const { value: metadata } = await nextOf(route, "smtMetadata", receiving);
      const count = Number(metadata.activeLanesCount);
      // Nothing but the last lane tells whether there are so many, and all before it are written down.
      if (count > P2P_LIMITS.syncLanes) throw badField("activeLanesCount", `it is ${count}`);
      await staged.lanes(lanesMetadataOf(metadata).claim, signal);
      await takeChunks(
        count,
        async () => {
          const { value: chunk } = await nextOf(route, "smtLaneChunk", receiving);
          await staged.lanePage(rawLanePageOf(chunk), signal);
          meter.add(chunk.entries.length);
          receiving.timeout.add(chunk.entries.length);
          return chunk.entries.length;
        },
        () => link.send({ $case: "requestNextPruningPointSmtChunk", value: {} }),
      );
    },
  );
}

/** Downloads the state; where the peer does not say the number of the pruning point in the chain, `fallbackIndex` is taken. */
export async function fetchState(
  parts: PointParts,
  point: BlockHash,
  fallbackIndex: bigint,
): Promise<void> {
  const { link, staged, meter, signal } = parts;
  const receiving = receivingOf(parts);
  const payload = { $case: "requestPruningPointShieldedState", value: wireHash(point) } as const;
  const answers = ["shieldedMetadata", "shieldedNullifierChunk", "unexpectedPruningPoint"] as const;
  await holdConversation(
    link,
    { payload, answers, capacity: P2P_LIMITS.syncChunks + 1 },
    async (route) => {
      const { value: metadata } = await nextOf(route, "shieldedMetadata", receiving);
      await staged.state(rawStateClaimOf(metadata, fallbackIndex).claim, signal);
      await takeChunks(
        Number(metadata.nullifierCount),
        async () => {
          const { value: chunk } = await nextOf(route, "shieldedNullifierChunk", receiving);
          await staged.nullifiers(rawNullifiersOf(chunk), signal);
          meter.add(chunk.nullifiers.length);
          receiving.timeout.add(chunk.nullifiers.length);
          return chunk.nullifiers.length;
        },
        () => link.send({ $case: "requestNextPruningPointShieldedChunk", value: {} }),
      );
    },
  );
}

/**
 * Downloads the bindings of the anchors from before the security fork (decision record 29). Returns whether the peer has them:
 * it may have another pruning point, or have started at this one without them.
 */
export async function fetchBindings(
  parts: Omit<PointParts, "staged" | "hashOf"> & {
    readonly staged: Pick<StagedImport, "bindings">;
  },
  point: BlockHash,
): Promise<boolean> {
  const { link, staged, meter, signal } = parts;
  const { timeout } = receivingOf(parts);
  const payload = { $case: "requestAnchorBindings", value: wireHash(point) } as const;
  const answers = ["anchorBindingChunk", "unexpectedPruningPoint"] as const;
  return holdConversation(
    link,
    { payload, answers, capacity: P2P_LIMITS.syncChunks + 1 },
    async (route) => {
      for (let chunks = 1; ; chunks += 1) {
        const { payload: answer } = await route.next(timeout.waitMs, signal);
        if (answer.$case === "unexpectedPruningPoint") return false;
        const chunk = answer.value;
        await staged.bindings(rawAnchorBindingsOf(chunk), signal);
        meter.add(chunk.entries.length);
        timeout.add(chunk.entries.length);
        if (chunk.done) return true;
        if (chunk.entries.length === 0) throw badField("entries", "there are none");
        if (chunks % P2P_LIMITS.syncChunks === 0) {
          link.send({ $case: "requestNextAnchorBindingChunk", value: {} });
        }
      }
    },
  );
}

/** Takes chunks until so many rows are here; after each window the other side waits to be asked to go on. */
async function takeChunks(
  count: number,
  take: () => Promise<number>,
  askOn: () => void,
): Promise<void> {
  let taken = 0;
  for (let chunks = 1; taken < count; chunks += 1) {
    const rows = await take();
    if (rows === 0) throw badField("entries", "there are none");
    taken += rows;
    if (taken > count) throw badField("entries", `${taken} instead of ${count}`);
    if (taken < count && chunks % P2P_LIMITS.syncChunks === 0) askOn();
  }
}

function wireHash(point: BlockHash): { hash: { bytes: Uint8Array } } {
  return { hash: { bytes: decodeHex(point) } };
}

/** How long responses are waited for: until the signal, and while they come fast enough. */
type Receiving = { readonly signal: AbortSignal; readonly timeout: ThroughputTimeout };

function receivingOf({ steadyMs, signal }: Pick<PointParts, "steadyMs" | "signal">): Receiving {
  return { signal, timeout: new ThroughputTimeout(steadyMs) };
}

type Named<Name extends P2pName> = Extract<P2pPayload, { $case: Name }>;

/** The next message, which must have this name. */
async function nextOf<All extends P2pName, Name extends All>(
  route: Route<All>,
  name: Name,
  { signal, timeout }: Receiving,
): Promise<Named<Name>> {
  const { payload } = await route.next(timeout.waitMs, signal);
  return requireName(payload, name);
}

function requireName<Name extends P2pName>(payload: P2pPayload, name: Name): Named<Name> {
  if (hasName(payload, name)) return payload;
  if (payload.$case !== "unexpectedPruningPoint") {
    throw new SvcError("p2p/unexpected-message", { message: payload.$case });
  }
  throw moved();
}

function moved(): SvcError {
  return new SvcError("export/moved", { pruningPoint: "of the peer" });
}

function hasName<Name extends P2pName>(payload: P2pPayload, name: Name): payload is Named<Name> {
  return payload.$case === name;
}
