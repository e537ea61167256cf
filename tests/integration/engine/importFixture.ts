/** Fixture of the trusted import: a pruned engine, and the data of its pruning point as import steps for a fresh engine. */
import * as v from "valibot";
import {
  readInsertOutcome,
  readResolveOutcome,
  readTxCheck,
} from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { RawEngine, RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { readShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";
import { readTipFacts, type TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { holdPayments } from "../../fixtures/payments/heldPayments.ts";
import { core, NOW_MS, recipient, START_MS } from "./engineFixture.ts";
import { madePayment } from "../payments/madePayment.ts";
import { smallNetwork } from "../node/smallNetwork.ts";

const withHash = v.object({ hash: v.string() });
const imported = v.object({
  needVerdicts: v.array(v.object({ txid: v.string(), format: v.number() })),
});
const historyProgress = v.variant("kind", [
  v.object({ kind: v.literal("complete") }),
  v.object({ kind: v.literal("working") }),
  v.object({
    kind: v.literal("wanted"),
    base: v.string(),
    below: v.string(),
    lowest: v.nullable(v.string()),
  }),
]);

const PROFILE = core.canonicalProfile(smallNetwork());
/** Less than there is, so that everything takes several pages and steps. */
const PAGE = 20;
const BUDGET = 16;
/** Headers of a page of pruning points, which is as long as it can be. */
const PAGE_POINTS = 128;
/** Records of a page of history. */
const RECORDS = 5;
/** Bytes of a lane: key, tip, blue score. */
const LANE_BYTES = 72;
const HASH_BYTES = 32;
/** Bytes of pages that hold nothing: a count, and a version with two counts. */
const NO_POINTS = 4;
const NO_HEADERS = 5;
/** Chain blocks from the sink down to the anchor of a payment. */
const ANCHOR_BELOW = 6n;
/** Every so many rounds a payment is made. */
const PAYMENT_EVERY = 7;

/** An engine over a store in memory, whose payments all hold. */
export class EngineNode {
  readonly store = new MemoryKv();
  engine: RawEngine;

  constructor() {
    this.engine = this.#open();
  }

  /** What the engine says, of the state that its store has now. */
  reader(): RawReader {
    return callCore(() => new core.Reader(kvHostStore(this.store), PROFILE));
  }

  /** Goes on over the same store, as after a kill. */
  reopen(): void {
    this.engine.free();
    this.engine = this.#open();
  }

  tip(): TipFacts {
    return readTipFacts(callCore(() => this.engine.tip()));
  }

  /** Returns the kind of the outcome. */
  insert(block: Uint8Array): string {
    const outcome = readInsertOutcome(callCore(() => this.engine.insertBlock(block, NOW_MS)));
    if (outcome.kind === "accepted") this.approve(outcome.needVerdicts);
    return outcome.kind;
  }

  /** Moves the sink as far as it goes. */
  settle(): void {
    for (;;) {
      const step = readResolveOutcome(callCore(() => this.engine.resolve(BUDGET)));
      this.approve(step.needVerdicts);
      if (step.done && step.needVerdicts.length === 0) return;
    }
  }

  prune(): void {
    while (!callCore(() => this.engine.prune(BUDGET)).includes('"done":true'));
  }

  /** The next block, unsealed as the network wants it. */
  build(payTo: number, candidates: readonly Uint8Array[], nowMs: bigint): Uint8Array {
    return callCore(() => {
      const extra = Uint8Array.of(payTo);
      const held = holdPayments(this.engine, candidates);
      const template = this.engine.buildTemplate(recipient(payTo), extra, held, nowMs);
      const block = template.block();
      template.free();
      return block;
    });
  }

  approve(jobs: readonly { readonly txid: string; readonly format: number }[]): void {
    for (const { txid, format } of jobs) this.engine.noteVerdict(txid, format, true);
  }

  #open(): RawEngine {
    return callCore(() => new core.Engine(kvHostStore(this.store), PROFILE));
  }
}

/** Makes a chain with payments and twins: every round two blocks that do not know each other. */
export class SourceNode extends EngineNode {
  readonly blocks: Uint8Array[] = [];
  #nowMs = START_MS;
  #rounds = 0;

  mine(rounds: number): void {
    for (const until = this.#rounds + rounds; this.#rounds < until; this.#rounds += 1) {
      this.#nowMs += 1_000n;
      const made = [this.build(1, this.#payments(), this.#nowMs), this.build(2, [], this.#nowMs)];
      for (const block of made) this.insert(block);
      this.settle();
      this.blocks.push(...made);
    }
  }

  #payments(): Uint8Array[] {
    const top = BigInt(this.#rounds) - ANCHOR_BELOW;
    if (top <= 0n || this.#rounds % PAYMENT_EVERY !== 0) return [];
    const block = this.engine.chainHashAt(top) ?? "";
    const { root } = readShieldedFacts(callCore(() => this.engine.shieldedFacts(block)));
    const payment = madePayment(this.#rounds, { block, root });
    const { engine } = this;
    const judged = callCore(() => engine.checkTransaction(engine.holdTransaction(payment)));
    this.approve([readTxCheck(judged)]);
    return [payment];
  }
}

/** A call of an import with the bytes it is handed. */
export type ImportStep = {
  readonly call: keyof RawEngine | "above";
  readonly bytes: Uint8Array;
  readonly run: (node: EngineNode, bytes: Uint8Array) => void;
};

/** The served data of a pruning point, and blocks above it. */
export type Offer = {
  readonly reader: RawReader;
  readonly point: string;
  readonly above: readonly Uint8Array[];
};

/** The raw block of a hash. */
export function bodyOf(reader: RawReader, hash: string): Uint8Array {
  const body = callCore(() => reader.blockBytes(hash));
  if (body === undefined) throw new Error(`no body of ${hash}`);
  return body;
}

/** The hash of a raw block. */
export function hashOf(raw: Uint8Array): string {
  return v.parse(withHash, JSON.parse(callCore(() => core.computeHashes(raw)))).hash;
}

/** The parsed progress of a history import. */
export function historyOf(answer: string): v.InferOutput<typeof historyProgress> {
  return v.parse(historyProgress, JSON.parse(answer));
}

/** The records that are wanted next, from a node that has them. */
export function historyPage(node: EngineNode, from: SourceNode): Uint8Array {
  const progress = historyOf(callCore(() => node.engine.historyProgress()));
  if (progress.kind !== "wanted") throw new Error(`history is ${progress.kind}`);
  const reader = from.reader();
  const base = callCore(() => reader.chainIndexOf(progress.base)) ?? 0n;
  const page = callCore(() => core.historyPage(reader, base - BigInt(progress.below), RECORDS));
  reader.free();
  return page;
}

/** The blocks of a page of history. */
export function blocksOf(page: Uint8Array): string[] {
  const found: string[] = [];
  for (const reader = new ByteReader(page); reader.remaining > 0;) {
    found.push(encodeHex(reader.block().subarray(0, HASH_BYTES)));
  }
  return found;
}

/** Runs steps; a refusal is thrown as it is. */
export function run(node: EngineNode, steps: readonly ImportStep[]): void {
  for (const { run: take, bytes } of steps) callCore(() => take(node, bytes));
}

/** All calls of an import, in their order. */
export function importSteps({ reader, point, above }: Offer): ImportStep[] {
  const exporter = callCore(() => new core.Exporter(reader, point));
  while (!callCore(() => exporter.step(reader, BUDGET)));
  const proof = exporter.proof(reader);
  const points = pages((_, count) => exporter.points(reader, count * PAGE_POINTS), NO_POINTS);
  const headers = pages((_, count) => exporter.trusted(reader, count * PAGE, PAGE), NO_HEADERS);
  const lanes = rows((after) => exporter.lanePage(reader, after), LANE_BYTES);
  const nullifiers = rows((after) => exporter.nullifierPage(reader, after), HASH_BYTES);
  const bodies = cut(exporter.bodies(), HASH_BYTES).map((hash) => bodyOf(reader, encodeHex(hash)));
  const child = reader.chainHashAt((reader.chainIndexOf(point) ?? 0n) + 1n) ?? "";
  const claims = { lanes: exporter.lanesClaim(reader), state: exporter.stateClaim(reader) };
  exporter.free();
  return [
    step("beginImport", proof, ({ engine }, bytes) => engine.beginImport(bytes)),
    step("importProof", NONE, ({ engine }) => {
      while (engine.importProof(BUDGET) === "null");
    }),
    ...points.map((page) =>
      step("importPoints", page, ({ engine }, bytes) => void engine.importPoints(bytes)),
    ),
    ...headers.map((page) =>
      step("importTrusted", page, ({ engine }, bytes) => engine.importTrusted(bytes)),
    ),
    step("linkTrusted", NONE, ({ engine }) => {
      while (engine.linkTrusted(BUDGET) === "null");
    }),
    ...bodies.map((body) => step("importBody", body, importBody)),
    ...above.map((block) => step("above", block, (node, bytes) => void node.insert(bytes))),
    step("bindingChild", NONE, ({ engine }) => void engine.bindingChild()),
    step("importBinding", bodyOf(reader, child), ({ engine }, bytes) =>
      engine.importBinding(bytes),
    ),
    step("importLanes", claims.lanes, ({ engine }, bytes) => engine.importLanes(bytes)),
    ...lanes.map((page) =>
      step("importLanePage", page, ({ engine }, bytes) => engine.importLanePage(bytes)),
    ),
    step("importState", claims.state, ({ engine }, bytes) => engine.importState(bytes)),
    ...nullifiers.map((page) =>
      step("importNullifiers", page, ({ engine }, bytes) => engine.importNullifiers(bytes)),
    ),
    step("finishImport", NONE, ({ engine }) => engine.finishImport()),
  ];
}

const NONE = new Uint8Array();

function step(call: ImportStep["call"], bytes: Uint8Array, take: ImportStep["run"]): ImportStep {
  return { call, bytes, run: take };
}

function importBody(node: EngineNode, bytes: Uint8Array): void {
  node.approve(v.parse(imported, JSON.parse(node.engine.importBody(bytes))).needVerdicts);
}

/** Asks for pages until one is no longer than an empty one. */
function pages(
  next: (last: Uint8Array | null, count: number) => Uint8Array,
  emptyBytes: number,
): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (;;) {
    const page = callCore(() => next(found.at(-1) ?? null, found.length));
    if (page.length <= emptyBytes) return found;
    found.push(page);
  }
}

/** Pages of rows of a table, each asked for by the last key before it, cut in two. */
function rows(ask: (after: string) => Uint8Array, rowBytes: number): Uint8Array[] {
  const asked = pages((last) => {
    const at = (last?.length ?? 0) - rowBytes;
    return ask(last === null ? "" : encodeHex(last.subarray(at, at + HASH_BYTES)));
  }, 0);
  return asked.flatMap((page) => cut(page, rowBytes * Math.ceil(page.length / rowBytes / 2)));
}

/** Parts of a size; the last may be shorter. */
export function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / Math.max(size, 1)) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  );
}
