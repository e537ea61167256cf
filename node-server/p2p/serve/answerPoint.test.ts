/** Pages of an export, which the test plays: a pruning point with a window and a chain below it. */
import { describe, expect, it } from "vitest";
import { ByteWriter } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { RawExporter, RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { rawBlockFrom, rawHeadersOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import { readEnvelope, type P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { rawTrustedPage } from "@svc/shared/protocol/p2p/p2pTrusted.ts";
import { headerMessage, hashOf, wireHash } from "../sync/testkit/numberedChain.ts";
import { PointPages } from "./answerPoint.ts";
import { FORM_BOUNDS } from "@svc/shared/protocol/raw/formBounds.ts";
import type { PointQuestion, ServedPage } from "./serveMessages.ts";

/** Number of the pruning point; below it are the window, and below that headers alone. */
const POINT = 1_000;
const WINDOW = 300;
const SEGMENT = 260;
const LANES = 20;
const BINDINGS = 300;

const unused = (): never => {
  throw new Error("nobody asks this");
};

/** Blocks from the pruning point downwards. */
const below = (from: number, count: number): number[] =>
  Array.from({ length: Math.max(count, 0) }, (_, at) => POINT - from - at);

const trustedHeader = (number: number) => ({
  header: headerMessage(number),
  ghostdagData: {
    blueScore: BigInt(number),
    blueWork: Uint8Array.of(1),
    selectedParent: wireHash(number - 1),
    mergeSetBlues: [],
    mergeSetReds: [],
    bluesAnticoneSizes: [],
  },
});

class FakeExporter implements RawExporter {
  step = unused;
  proof = unused;
  stateClaim = unused;
  nullifierPage = unused;
  free = unused;

  /** Row `n` has as many bytes of data. */
  bindings(_: RawReader, from: number, limit: number): Uint8Array {
    const writer = new ByteWriter();
    for (let row = from; row < Math.min(from + limit, BINDINGS); row += 1) {
      writer.raw(wireHash(row).bytes).u32(row).raw(new Uint8Array(row));
    }
    return writer.toBytes();
  }

  points(_: RawReader, from: number): Uint8Array {
    const left = Math.min(130 - from, 128);
    return rawHeadersOf(Array.from({ length: left }, (__, at) => headerMessage(1 + from + at)));
  }

  bodies(): Uint8Array {
    return wireHash(POINT).bytes;
  }

  trusted(_: RawReader, from: number, limit: number): Uint8Array {
    const window = below(from, Math.min(limit, WINDOW - from)).map(trustedHeader);
    const skipped = Math.max(from - WINDOW, 0);
    const left = Math.min(limit - window.length, SEGMENT - skipped);
    const segment = below(WINDOW + skipped, left).map(headerMessage);
    return rawTrustedPage({ window, segment });
  }

  lanesClaim(): Uint8Array {
    return new ByteWriter().u8(1).raw(new Uint8Array(64)).u64(BigInt(LANES)).toBytes();
  }

  /** Twelve at a time. */
  lanePage(_: RawReader, after: string): Uint8Array {
    const writer = new ByteWriter();
    const from = after === "" ? 0 : Number.parseInt(after, 16) + 1;
    for (let lane = from; lane < Math.min(from + 12, LANES); lane += 1) {
      writer.raw(wireHash(lane).bytes).raw(new Uint8Array(32)).u64(1n);
    }
    return writer.toBytes();
  }
}

const reader = {
  blocksOf: () => new ByteWriter().block(rawBlockFrom(headerMessage(POINT), [coinbase])).toBytes(),
};
const coinbase = {
  version: 0,
  inputs: [],
  outputs: [],
  lockTime: 0n,
  subnetworkId: { bytes: new Uint8Array(20) },
  gas: 0n,
  payload: new Uint8Array(),
  storageMass: 0n,
};

const pagesOf = (): PointPages =>
  new PointPages({
    point: hashOf(POINT),
    exporter: new FakeExporter(),
    reader: reader as unknown as RawReader,
    hashOf: ({ nonce }: P2pBlockHeader) => hashOf(Number(nonce)),
    listedBlocks: 4,
  });

const payloads = ({ messages }: ServedPage): P2pPayload[] =>
  messages.flatMap((bytes) => readEnvelope(bytes).payload ?? []);

/** All messages of a row of questions, of each page of another export of the same point. */
function all(
  question: (cursor: string | null) => PointQuestion,
  from: string | null,
): P2pPayload[] {
  const found: P2pPayload[] = [];
  let cursor = from;
  do {
    const page = pagesOf().answer(question(cursor));
    found.push(...payloads(page));
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

describe("pages of an export", () => {
  it("begin with all points, the window, and GHOSTDAG data of the chain at the point", () => {
    const page = pagesOf().answer({ kind: "points" });
    const [points, trusted] = payloads(page);
    if (points?.$case !== "pruningPoints" || trusted?.$case !== "trustedData") throw new Error();
    expect(page.next).toBe(hashOf(POINT));
    expect(points.value.blockHeaders.map(({ nonce }) => Number(nonce))).toEqual(
      Array.from({ length: 130 }, (_, at) => at + 1),
    );
    expect(trusted.value.daaWindow.map(({ header }) => Number(header?.nonce))).toEqual(
      below(0, WINDOW),
    );
    const listed = trusted.value.ghostdagData.map(({ hash, ghostdagData }) => [
      encodeHex(hash?.bytes ?? new Uint8Array()),
      Number(ghostdagData?.blueScore),
    ]);
    expect(listed).toEqual(below(0, 4).map((number) => [hashOf(number), number]));
  });

  it("go on with bodies, then headers alone, then the end, whichever export has the rest", () => {
    const entries = all((cursor) => ({ kind: "entries", point: hashOf(POINT), cursor }), null);
    expect(entries.pop()?.$case).toBe("doneBlocksWithTrustedData");
    const seen = entries.map((entry) => {
      if (entry.$case !== "blockWithTrustedDataV4") throw new Error("another message");
      const { header, transactions } = entry.value.block ?? { transactions: [] };
      return [Number(header?.nonce), transactions.length];
    });
    const segment = below(WINDOW, SEGMENT).map((number) => [number, 0]);
    expect(seen).toEqual([[POINT, 1], ...segment]);
  });

  it("have every lane once, with a proof at every sixteenth", () => {
    const lanes = all((cursor) => ({ kind: "lanes", point: hashOf(POINT), cursor }), "0 ");
    const rows = lanes.flatMap((chunk) =>
      chunk.$case === "smtLaneChunk" ? chunk.value.entries : [],
    );
    expect(rows.map(({ data }) => data[31])).toEqual(Array.from({ length: LANES }, (_, at) => at));
    const proved = rows.flatMap(({ proof }, at) => (proof.length > 0 ? [at] : []));
    expect(proved).toEqual([0, 16]);
  });

  it("have every binding of an old anchor once, and say which page is the last", () => {
    const pages = all((cursor) => ({ kind: "bindings", point: hashOf(POINT), cursor }), null);
    const chunks = pages.flatMap((page) =>
      page.$case === "anchorBindingChunk" ? [page.value] : [],
    );
    expect(chunks.map(({ entries, done }) => [entries.length, done])).toEqual([
      [FORM_BOUNDS.anchorBindings, false],
      [BINDINGS - FORM_BOUNDS.anchorBindings, true],
    ]);
    const rows = chunks.flatMap(({ entries }) => entries);
    expect(rows.map(({ block, data }) => [encodeHex(block), data.length])).toEqual(
      Array.from({ length: BINDINGS }, (_, row) => [hashOf(row), row]),
    );
  });

  it("are of one point", () => {
    const other: PointQuestion = { kind: "lanes", point: hashOf(1), cursor: null };
    expect(payloads(pagesOf().answer(other))).toEqual([
      { $case: "unexpectedPruningPoint", value: {} },
    ]);
  });
});
