/**
 * Answers peers' requests about the pruning point from an export that is ready (specification network 1.8 D, I, J).
 *
 * Pages are named by the pruning point and a place in it, never by the export: another one of the same point goes on where
 * this one ended.
 */
import { ByteReader, concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { RawExporter, RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { readBlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { readShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";
import type { P2pTrustedBlock } from "@svc/shared/protocol/p2p/generated/p2pMessages.ts";
import type {
  P2pBlockHeader,
  P2pGhostdagDataOf,
  P2pTrustedHeader,
} from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { anchorBindingChunkMessage } from "@svc/shared/protocol/p2p/p2pAnchorBindings.ts";
import { blockMessage, headerMessages } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { headersMessage } from "@svc/shared/protocol/p2p/p2pHeaderPages.ts";
import { LaneProofs } from "@svc/shared/protocol/p2p/p2pLaneProofs.ts";
import {
  laneChunkMessage,
  lanesMetadataMessage,
  lastLaneKey,
} from "@svc/shared/protocol/p2p/p2pLanes.ts";
import { nullifierChunkMessage } from "@svc/shared/protocol/p2p/p2pNullifiers.ts";
import { proofMessage } from "@svc/shared/protocol/p2p/p2pProof.ts";
import { claimedNullifiers, stateClaimMessage } from "@svc/shared/protocol/p2p/p2pStateClaim.ts";
import { headerEntry, trustedPartOf } from "@svc/shared/protocol/p2p/p2pTrusted.ts";
import { FORM_BOUNDS } from "@svc/shared/protocol/raw/formBounds.ts";
import type { PointQuestion, ServedPage } from "./serveMessages.ts";
import { encodePayload, pageOf, unexpectedPoint } from "./servedPage.ts";

const HASH_LENGTH = 32;
/** A page of pruning points is as long as RawHeaders may be. */
const POINTS_PAGE = 128;

/** A finished export of a pruning point, with the state it was made of. */
export type ReadyExport = {
  readonly point: string;
  readonly exporter: RawExporter;
  readonly reader: RawReader;
  /** Computes the hash of a header. */
  readonly hashOf: (header: P2pBlockHeader) => string;
  /** GHOSTDAG data are listed of so many blocks down from each whose body is sent. */
  readonly listedBlocks: number;
};

/** The messages of one pruning-point export; expensive ones are cached. */
export class PointPages {
  readonly #export: ReadyExport;
  readonly #kept = new Map<string, Uint8Array>();
  #keptBytes = 0;
  #windowLength: number | null = null;
  #laneCount: bigint | null = null;
  #laneProofs: LaneProofs | null = null;
  #nullifierCount: bigint | null = null;

  constructor(made: ReadyExport) {
    this.#export = made;
  }

  /** Answers a question; one about another point is told so. Errors: the core's. */
  answer(question: PointQuestion): ServedPage {
    const { point } = this.#export;
    switch (question.kind) {
      case "proof":
        return { messages: [this.#keep("proof", () => this.#proof())], next: null };
      case "points":
        return {
          messages: [
            this.#keep("points", () => this.#points()),
            this.#keep("trusted", () => this.#trusted()),
          ],
          next: point,
        };
      default:
        return question.point === point ? this.#pageAt(question) : unexpectedPoint();
    }
  }

  #pageAt(question: Extract<PointQuestion, { point: string }>): ServedPage {
    switch (question.kind) {
      case "entries":
        return this.#entries(Number(question.cursor ?? "0"));
      case "lanes":
        return question.cursor === null ? this.#lanesClaim() : this.#lanes(question.cursor);
      case "state":
        return question.cursor === null
          ? this.#stateClaim(question.isExtended)
          : this.#nullifiers(question.cursor);
      case "bindings":
        return this.#bindings(Number(question.cursor ?? "0"));
    }
  }

  /** A copy of a message that is made once, as long as there is room: what is handed out leaves the thread. */
  #keep(name: string, make: () => P2pPayload): Uint8Array {
    const before = this.#kept.get(name);
    if (before !== undefined) return before.slice();
    const made = encodePayload(make());
    if (this.#keptBytes + made.length > P2P_LIMITS.p2pExportCacheBytes) return made;
    this.#keptBytes += made.length;
    this.#kept.set(name, made);
    return made.slice();
  }

  #proof(): P2pPayload {
    const { exporter, reader } = this.#export;
    const raw = callCore(() => exporter.proof(reader));
    return { $case: "pruningPointProof", value: proofMessage(raw) };
  }

  #points(): P2pPayload {
    const { exporter, reader } = this.#export;
    const pages: Uint8Array[] = [];
    for (;;) {
      const page = callCore(() => exporter.points(reader, pages.length * POINTS_PAGE));
      pages.push(page);
      if (new ByteReader(page).u32() < POINTS_PAGE) break;
    }
    return { $case: "pruningPoints", value: headersMessage(pages) };
  }

  #trusted(): P2pPayload {
    const daaWindow = this.#window();
    const value = { daaWindow, ghostdagData: this.#listed(daaWindow) };
    return { $case: "trustedData", value };
  }

  #window(): P2pTrustedHeader[] {
    const found: P2pTrustedHeader[] = [];
    for (;;) {
      const part = this.#trustedFrom(found.length);
      found.push(...part.window);
      if (part.window.length < P2P_LIMITS.p2pServedEntries) break;
    }
    this.#windowLength = found.length;
    return found;
  }

  #trustedFrom(from: number): ReturnType<typeof trustedPartOf> {
    const { exporter, reader } = this.#export;
    return trustedPartOf(
      callCore(() => exporter.trusted(reader, from, P2P_LIMITS.p2pServedEntries)),
    );
  }

  /** GHOSTDAG data by block: the blocks whose bodies are sent, and the chain below each as far as coloring goes down. */
  #listed(window: readonly P2pTrustedHeader[]): P2pGhostdagDataOf[] {
    const { hashOf, listedBlocks } = this.#export;
    const byHash = new Map(
      window.flatMap(({ header, ghostdagData }) =>
        header === undefined ? [] : [[hashOf(header), ghostdagData] as const],
      ),
    );
    const listed = new Map<string, P2pGhostdagDataOf>();
    for (const body of this.#bodies()) {
      let hash = encodeHex(body);
      for (let count = 0; count < listedBlocks; count += 1) {
        const ghostdagData = byHash.get(hash);
        if (ghostdagData === undefined) break;
        listed.set(hash, { hash: { bytes: decodeHex(hash) }, ghostdagData });
        hash = encodeHex(ghostdagData.selectedParent?.bytes ?? new Uint8Array());
      }
    }
    return [...listed.values()];
  }

  #bodies(): Uint8Array[] {
    const all = this.#export.exporter.bodies();
    return Array.from({ length: all.length / HASH_LENGTH }, (_, at) =>
      all.subarray(at * HASH_LENGTH, (at + 1) * HASH_LENGTH),
    );
  }

  /** Entry number `from` and those behind it: bodies first, then headers. With the last comes the end of the stream. */
  #entries(from: number): ServedPage {
    const bodies = this.#bodies();
    const entries =
      from < bodies.length
        ? this.#bodyEntries(bodies.slice(from, from + P2P_LIMITS.p2pServedBlocks))
        : this.#headerEntries(from - bodies.length);
    const payloads = entries.map((value): P2pPayload => ({
      $case: "blockWithTrustedDataV4",
      value,
    }));
    const isLast = from >= bodies.length && entries.length < P2P_LIMITS.p2pServedEntries;
    if (isLast) payloads.push({ $case: "doneBlocksWithTrustedData", value: {} });
    return pageOf(payloads, isLast ? null : String(from + entries.length));
  }

  #bodyEntries(hashes: readonly Uint8Array[]): P2pTrustedBlock[] {
    const { reader } = this.#export;
    const asked = new Uint8Array(hashes.flatMap((hash) => [...hash]));
    const blocks = new ByteReader(callCore(() => reader.blocksOf(asked)));
    const entries: P2pTrustedBlock[] = [];
    while (blocks.remaining > 0) {
      const block = blockMessage(blocks.block());
      entries.push({ block, daaWindowIndices: [], ghostdagDataIndices: [] });
    }
    return entries;
  }

  #headerEntries(from: number): P2pTrustedBlock[] {
    const windowLength = this.#windowLength ?? this.#window().length;
    return this.#trustedFrom(windowLength + from).segment.map(headerEntry);
  }

  #lanesClaim(): ServedPage {
    const { exporter, reader } = this.#export;
    const claim = callCore(() => exporter.lanesClaim(reader));
    const value = lanesMetadataMessage({ claim, parentCommitment: this.#parentCommitment() });
    return pageOf([{ $case: "smtMetadata", value }], cursorOf(0n, new Uint8Array()));
  }

  #parentCommitment(): Uint8Array {
    const { reader, point } = this.#export;
    const facts = callCore(() => reader.blockFacts(point));
    if (facts === undefined) throw new SvcError("chain/unknown-block", { hash: point });
    return this.#headerOf(readBlockFacts(facts).selectedParent).acceptedIdMerkleRoot?.bytes ?? NONE;
  }

  #headerOf(hash: string): P2pBlockHeader {
    const { reader } = this.#export;
    const [header] = headerMessages(callCore(() => reader.headersOf(decodeHex(hash))));
    if (header === undefined) throw new SvcError("chain/unknown-block", { hash });
    return header;
  }

  #lanes(cursor: string): ServedPage {
    const { exporter, reader } = this.#export;
    const { sent, after } = placeOf(cursor);
    const page = callCore(() => exporter.lanePage(reader, after));
    const count = (this.#laneCount ??= lanesIn(callCore(() => exporter.lanesClaim(reader))));
    const proofs = (this.#laneProofs ??= this.#proofsOf(count));
    const first = Number(sent);
    const value = laneChunkMessage(page, (row) =>
      (first + row) % FORM_BOUNDS.laneProofInterval === 0 ? proofs.proofOf(first + row) : NONE,
    );
    const now = sent + BigInt(value.entries.length);
    const last = lastLaneKey(page);
    const next = now < count && last !== null ? cursorOf(now, last) : null;
    return pageOf([{ $case: "smtLaneChunk", value }], next);
  }

  #proofsOf(count: bigint): LaneProofs {
    const { exporter, reader } = this.#export;
    const pages: Uint8Array[] = [];
    if (count <= BigInt(FORM_BOUNDS.provedLanes)) {
      let last: Uint8Array | null = NONE;
      while (last !== null) {
        const after = encodeHex(last);
        const page = callCore(() => exporter.lanePage(reader, after));
        pages.push(page);
        last = lastLaneKey(page);
      }
    }
    return new LaneProofs(concatBytes(...pages));
  }

  #stateClaim(isExtended: boolean): ServedPage {
    const { exporter, reader, point } = this.#export;
    const message = this.#keep(`state ${String(isExtended)}`, () => {
      const claim = callCore(() => exporter.stateClaim(reader));
      const shielded = readShieldedFacts(callCore(() => reader.shieldedFacts(point)));
      const facts = {
        stateRoot: decodeHex(shielded.stateRoot),
        blueScoreOf: (block: Uint8Array) => this.#headerOf(encodeHex(block)).blueScore,
      };
      return { $case: "shieldedMetadata", value: stateClaimMessage(claim, facts, isExtended) };
    });
    const next = this.#nullifiersOf() === 0n ? null : cursorOf(0n, NONE);
    return { messages: [message], next };
  }

  #nullifiers(cursor: string): ServedPage {
    const { exporter, reader } = this.#export;
    const { sent, after } = placeOf(cursor);
    const page = callCore(() => exporter.nullifierPage(reader, after));
    const value = nullifierChunkMessage(page);
    const last = page.slice(-HASH_LENGTH);
    const now = sent + BigInt(value.nullifiers.length);
    const payload: P2pPayload = { $case: "shieldedNullifierChunk", value };
    const isLast = page.length === 0 || now >= this.#nullifiersOf();
    return pageOf([payload], isLast ? null : cursorOf(now, last));
  }

  /** Those from number `from` on; a page that is not full is the last. */
  #bindings(from: number): ServedPage {
    const { exporter, reader } = this.#export;
    const page = callCore(() => exporter.bindings(reader, from, FORM_BOUNDS.anchorBindings));
    const value = anchorBindingChunkMessage(page, false);
    const count = value.entries.length;
    const done = count < FORM_BOUNDS.anchorBindings;
    const payload: P2pPayload = { $case: "anchorBindingChunk", value: { ...value, done } };
    return pageOf([payload], done ? null : String(from + count));
  }

  #nullifiersOf(): bigint {
    const { exporter, reader } = this.#export;
    this.#nullifierCount ??= claimedNullifiers(callCore(() => exporter.stateClaim(reader)));
    return this.#nullifierCount;
  }
}

const NONE = new Uint8Array();

/** A place among rows: how many came before, and the key of the last. */
function cursorOf(sent: bigint, after: Uint8Array): string {
  return `${sent} ${encodeHex(after)}`;
}

function placeOf(cursor: string): { sent: bigint; after: string } {
  const [sent = "0", after = ""] = cursor.split(" ");
  return { sent: BigInt(sent), after };
}

/** The count at the end of a raw lanes claim. */
function lanesIn(claim: Uint8Array): bigint {
  const reader = new ByteReader(claim);
  reader.take(1 + 2 * HASH_LENGTH);
  return reader.u64();
}
