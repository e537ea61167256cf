/** Stores begun at a pruning point of another, through the calls that the core gives its hosts. */
import { beforeAll, describe, expect, test } from "vitest";
import { codeOf as codeOfCall } from "@svc/shared/base/testkit/codeOf.ts";
import { KEYS_END } from "@svc/node-server/storage/kv.ts";
import { consensusTable } from "@svc/node-server/storage/layout.ts";
import { ByteReader, concatBytes } from "@svc/shared/base/bytes.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { readHeader } from "@svc/shared/protocol/raw/rawHeader.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { core, NOW_MS, recipient } from "./engineFixture.ts";
import {
  blocksOf,
  EngineNode,
  hashOf,
  historyOf,
  historyPage,
  importSteps,
  run,
  SourceNode,
  type ImportStep,
} from "./importFixture.ts";
import { madePayment } from "../payments/madePayment.ts";

/** Rounds of two blocks until the pruning point has moved once. */
const ROUNDS = 97;
/** Blocks above the pruning point that are enough to bind its state. */
const FEW = 12;
/** Tables whose rows follow from the sink. */
const AT_SINK = ["nullifiers", "lanes", "lane_nodes", "lane_expiry"];

let source: SourceNode;
let point: string;
/** All that is served of it. */
let steps: readonly ImportStep[];
/** The same with few blocks above. */
let fewSteps: readonly ImportStep[];

beforeAll(() => {
  source = new SourceNode();
  source.mine(ROUNDS);
  source.prune();
  point = source.tip().pruningPoint;
  const above = source.blocks.slice(source.blocks.findIndex((raw) => hashOf(raw) === point) + 1);
  const reader = source.reader();
  steps = importSteps({ reader, point, above });
  reader.free();
  let count = 0;
  fewSteps = steps.filter(({ call }) => call !== "above" || (count += 1) <= FEW);
});

const codeOf = (call: () => unknown): string => codeOfCall(() => callCore(call), "answered");

function tableOf(node: EngineNode, name: string): Map<string, string> {
  const all = { from: new Uint8Array(), to: KEYS_END, limit: 10_000 };
  const rows = node.store.range({ table: consensusTable(name), ...all });
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
  return new Map(rows.map(({ key, value }) => [hex(key), hex(value)]));
}

/** The tip without what differs by what each holds of the blocks below the pruning point. */
function comparable(node: EngineNode): Partial<TipFacts> {
  const { blockCount, headerCount, historyFromDaaScore, historyComplete, ...rest } = node.tip();
  expect([blockCount, headerCount, historyFromDaaScore].every((fact) => fact >= 0n)).toBe(true);
  expect(typeof historyComplete).toBe("boolean");
  return rest;
}

/** Whatever is asked about the chain from the pruning point on. */
function answers({ engine }: EngineNode): unknown[] {
  const found: unknown[] = [engine.anchors(25n, 1_000), engine.records(point, 1_000)];
  const from = engine.chainIndexOf(point) ?? 0n;
  for (let index = from; index <= BigInt(ROUNDS); index += 1n) {
    const hash = engine.chainHashAt(index) ?? "";
    found.push(hash, engine.treeState(hash), engine.shieldedFacts(hash), engine.blockBytes(hash));
    if (index > from) found.push(engine.chainFacts(hash), engine.blockFacts(hash));
  }
  return found;
}

/** All scan records from genesis to the sink. */
function allRecords(node: EngineNode): unknown[] {
  const { genesis, chainIndex } = node.tip();
  const found: unknown[] = [node.engine.recordOf(genesis)];
  for (let at = 0n; at < chainIndex; at += 50n) {
    const after = node.engine.chainHashAt(at) ?? "";
    found.push(after, node.engine.records(after, 50));
  }
  return found;
}

function expectSame(node: EngineNode): void {
  expect(comparable(node)).toEqual(comparable(source));
  const nowMs = NOW_MS - 1n;
  expect(node.build(1, [], nowMs)).toEqual(source.build(1, [], nowMs));
}

/** Brings in all of the history, a page at a time. Returns how many it took. */
function fill(node: EngineNode, change = (page: Uint8Array): Uint8Array => page): number {
  for (let pages = 0; ;) {
    const { kind } = historyOf(callCore(() => node.engine.historyProgress()));
    if (kind === "complete") return pages;
    if (kind === "working") callCore(() => node.engine.historyStep(3));
    else {
      const page = change(historyPage(node, source));
      callCore(() => node.engine.importHistory(page));
      pages += 1;
    }
  }
}

describe("a store begun at a pruning point", () => {
  test("equals the one that served it, follows it, and gets the history it lacks", () => {
    const node = new EngineNode();
    run(node, steps);
    node.settle();
    expectSame(node);
    expect(answers(node)).toEqual(answers(source));
    for (const name of AT_SINK) {
      const rows = tableOf(source, name);
      expect(rows.size).toBeGreaterThan(0);
      expect(tableOf(node, name)).toEqual(rows);
    }
    // What lies before it is not here, and says so.
    const { genesis, historyComplete, historyFromDaaScore } = node.tip();
    expect(historyComplete).toBe(false);
    expect(historyFromDaaScore).toBeGreaterThan(0n);
    expect(codeOf(() => node.engine.records(genesis, 10))).toBe("chain/pruned");
    expect(codeOf(() => node.engine.recordOf(point))).toBe("chain/pruned");
    // It goes on with the next blocks, as after a kill, and its pruning point moves with that of the other.
    const known = source.blocks.length;
    source.mine(20);
    source.prune();
    node.reopen();
    for (const block of source.blocks.slice(known)) expect(node.insert(block)).toBe("accepted");
    node.settle();
    node.prune();
    expect(node.tip().pruningPoint).not.toBe(point);
    expectSame(node);
    expect(fill(node)).toBeGreaterThan(2);
    expect(node.tip()).toMatchObject({ historyComplete: true, historyFromDaaScore: 0n });
    expect(allRecords(node)).toEqual(allRecords(source));
    expectSame(node);
  });
});

/** What answers nothing of a state that nobody has proved yet. */
function unserved({ engine }: EngineNode, reader: () => void): Record<string, () => unknown> {
  const none = new Uint8Array();
  const payment = madePayment(1, { block: point, root: "00".repeat(32) });
  return {
    tip: () => engine.tip(),
    resolve: () => engine.resolve(1),
    buildTemplate: () => engine.buildTemplate(recipient(1), none, new Uint32Array(), NOW_MS),
    checkTransaction: () => engine.checkTransaction(engine.holdTransaction(payment)),
    historyProgress: () => engine.historyProgress(),
    importHistory: () => engine.importHistory(none),
    historyStep: () => engine.historyStep(1),
    Exporter: reader,
  };
}

/** After so many of the few steps. */
function expectNothingServed(node: EngineNode, done: number): void {
  const reader = node.reader();
  const served = unserved(node, () => new core.Exporter(reader, point));
  for (const [name, ask] of Object.entries(served)) {
    expect([name, codeOf(ask)]).toEqual([name, "engine/not-imported"]);
  }
  reader.free();
  const { engine } = node;
  const aboutPoint = [
    () => engine.treeState(point),
    () => engine.shieldedFacts(point),
    () => engine.recordOf(point),
  ].map(codeOf);
  expect(aboutPoint).toEqual(Array.from(aboutPoint, () => "chain/unknown-block"));
  const facts = [engine.chainFacts(point), engine.chainIndexOf(point)];
  expect(facts).toEqual([undefined, undefined]);
  const firstBody = fewSteps.findIndex(({ call }) => call === "importBody");
  if (done <= firstBody) expect(engine.blockBytes(point)).toBeUndefined();
  if (done > indexOf("importBody")) return;
  const block = source.blocks.at(-1) ?? new Uint8Array();
  expect(codeOf(() => engine.insertBlock(block, NOW_MS))).toBe("engine/not-imported");
  expect(codeOf(() => engine.insertHeaders(new Uint8Array(4), NOW_MS))).toBe("engine/not-imported");
}

/** A page of which one thing is wrong, and how it goes on. */
type Forgery = {
  readonly name: string;
  /** The last step of this call gets the forged bytes. */
  readonly at: ImportStep["call"];
  readonly forge: (bytes: Uint8Array) => Uint8Array;
  /** The call that refuses it, when it is another. */
  readonly by?: ImportStep["call"];
  readonly code: string;
  /** The import is over and begins anew in another store; else the same call takes the true page. */
  readonly over?: true;
};

/** Another byte at an offset; from the end when it is negative. */
const flip =
  (at: number) =>
  (bytes: Uint8Array): Uint8Array =>
    withFlippedBit(bytes, at < 0 ? bytes.length + at : at);

/** Where the first header ends, that begins at `from`. */
function afterHeader(bytes: Uint8Array, from: number): number {
  const reader = new ByteReader(bytes.subarray(from));
  readHeader(reader);
  return from + reader.offset;
}

/** Another blue score in the GHOSTDAG data of the first header: behind version, count, header, witness, length, version. */
const otherScore = (page: Uint8Array): Uint8Array => flip(afterHeader(page, 3) + 4 + 4 + 1)(page);

/** Where each header of a proof ends, genesis first and the pruning point last. */
function endsOf(proof: Uint8Array): number[] {
  const reader = new ByteReader(proof.subarray(1));
  return Array.from({ length: reader.u32() }, () => {
    readHeader(reader);
    const end = 1 + reader.offset;
    reader.block();
    return end;
  });
}

/** A header ends with its nonce 8, DAA score 8, blue work 24, blue score 8, pruning point 32. */
const otherHeader = (proof: Uint8Array): Uint8Array => flip((endsOf(proof)[1] ?? 0) - 80)(proof);
const otherTip = (proof: Uint8Array): Uint8Array => flip((endsOf(proof).at(-1) ?? 0) - 80)(proof);
function tipWithoutWork(proof: Uint8Array): Uint8Array {
  const end = endsOf(proof).at(-1) ?? 0;
  return proof.slice().fill(0, end - 64, end - 40);
}

/** RawHeaders without the first. */
function withoutFirst(points: Uint8Array): Uint8Array {
  const count = new ByteReader(points).u32();
  return concatBytes(Uint8Array.of(count - 1, 0, 0, 0), points.subarray(afterHeader(points, 5)));
}

/** The same header over a coinbase that says another thing. */
function otherCoinbase(raw: Uint8Array): Uint8Array {
  const block = decodeRawBlock(raw);
  const transactions = block.transactions.map((transaction, index) =>
    index === 0 ? { ...transaction, payload: flip(-1)(transaction.payload) } : transaction,
  );
  return encodeRawBlock({ ...block, transactions });
}

/** A page of history of which the first note is worth another amount. */
function otherNote(page: Uint8Array): Uint8Array {
  for (const reader = new ByteReader(page); reader.remaining > 0;) {
    const record = new ByteReader(reader.block());
    // Block, scores, time, first leaf, coinbase.
    record.take(32 + 8 * 4 + 32);
    if (record.u16() === 0) continue;
    record.take(43);
    return flip(reader.offset - record.remaining)(page);
  }
  return page;
}

const strange = (): Uint8Array => source.blocks.at(-1) ?? new Uint8Array();
const cutShort = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, -1);
/** Behind version and size of the tree: its last leaf. */
const LEAF = 9;

const FORGERIES: readonly Forgery[] = [
  { name: "a proof cut short", at: "beginImport", forge: cutShort, code: "codec/unexpected-end" },
  { name: "a proof of another form", at: "beginImport", forge: flip(0), code: "codec/version" },
  {
    name: "a tip that claims no work",
    at: "beginImport",
    forge: tipWithoutWork,
    by: "importProof",
    code: "proof/blue-work-not-growing",
    over: true,
  },
  {
    name: "another header in the proof",
    at: "beginImport",
    forge: otherHeader,
    by: "linkTrusted",
    code: "import/wrong-header",
    over: true,
  },
  {
    name: "a tip that no list of points ends with",
    at: "beginImport",
    forge: otherTip,
    by: "importTrusted",
    code: "import/out-of-order",
    over: true,
  },
  {
    name: "points without genesis",
    at: "importPoints",
    forge: withoutFirst,
    code: "import/wrong-points",
  },
  {
    name: "a score that its header has not",
    at: "importTrusted",
    forge: otherScore,
    code: "import/wrong-ghostdag",
  },
  { name: "headers cut short", at: "importTrusted", forge: cutShort, code: "codec/unexpected-end" },
  {
    name: "a page without headers",
    at: "importTrusted",
    forge: () => Uint8Array.of(1, 0, 0, 0, 0),
    by: "linkTrusted",
    code: "import/incomplete",
    over: true,
  },
  {
    name: "a body that nobody asked for",
    at: "importBody",
    forge: strange,
    code: "import/unexpected-body",
  },
  {
    name: "a body with another coinbase",
    at: "importBody",
    forge: otherCoinbase,
    code: "body/bad-merkle-root",
  },
  { name: "another child", at: "importBinding", forge: strange, code: "import/wrong-child" },
  {
    name: "a child with another coinbase",
    at: "importBinding",
    forge: otherCoinbase,
    code: "body/bad-merkle-root",
  },
  {
    name: "another root of the lanes",
    at: "importLanes",
    forge: flip(40),
    code: "import/wrong-lanes",
  },
  {
    name: "another tip of a lane",
    at: "importLanePage",
    forge: flip(-9),
    code: "import/wrong-lanes",
    over: true,
  },
  { name: "another note tree", at: "importState", forge: flip(LEAF), code: "import/wrong-state" },
  {
    name: "a nullifier too many",
    at: "importNullifiers",
    forge: (page) => concatBytes(page, new Uint8Array(32)),
    code: "import/too-many-nullifiers",
    over: true,
  },
  {
    name: "another nullifier",
    at: "importNullifiers",
    forge: flip(-1),
    by: "finishImport",
    code: "import/wrong-nullifiers",
    over: true,
  },
];

const indexOf = (call: ImportStep["call"]): number =>
  fewSteps.findLastIndex((step) => step.call === call);

describe("what a peer forges", () => {
  test.each(FORGERIES)("$name is refused, and the import goes on or is begun anew", (forgery) => {
    const { at, forge, by = at, code, over = false } = forgery;
    const place = indexOf(at);
    const refused = by === at ? place : fewSteps.findIndex(({ call }) => call === by);
    const node = new EngineNode();
    const forged = fewSteps.map((step, index) =>
      index === place ? { ...step, bytes: forge(step.bytes) } : step,
    );
    run(node, forged.slice(0, refused));
    expect(codeOf(() => run(node, forged.slice(refused, refused + 1)))).toBe(code);
    if (refused > 0) expectNothingServed(node, refused);
    if (over) {
      expect(codeOf(() => node.engine.finishImport())).toBe("import/out-of-order");
      node.reopen();
      expectNothingServed(node, refused);
    }
    const again = over ? new EngineNode() : node;
    run(again, fewSteps.slice(over ? 0 : refused));
    again.settle();
    expect(again.tip().sink).toBe(sinkOfFew());
  });

  test("nothing is served until the end, also after a kill", () => {
    const node = new EngineNode();
    fewSteps.forEach((step, index) => {
      run(node, [step]);
      if (index < fewSteps.length - 1) expectNothingServed(node, index + 1);
    });
    node.settle();
    expect(node.tip().sink).toBe(sinkOfFew());
    const killed = new EngineNode();
    run(killed, fewSteps.slice(0, -1));
    killed.reopen();
    expectNothingServed(killed, fewSteps.length - 1);
    expect(codeOf(() => run(killed, fewSteps.slice(0, 1)))).toBe("import/not-empty");
  });

  test("an import needs an empty store, its order, and a block above", () => {
    const used = new EngineNode();
    used.insert(used.build(1, [], NOW_MS));
    used.settle();
    expect(codeOf(() => run(used, fewSteps.slice(0, 1)))).toBe("import/not-empty");
    const node = new EngineNode();
    for (const [index, step] of fewSteps.entries()) {
      if (step.call === "above") continue;
      const { call } = step;
      if (index > 0)
        expect([call, codeOf(() => run(new EngineNode(), [step]))]).toEqual([
          call,
          "import/out-of-order",
        ]);
    }
    run(node, fewSteps.slice(0, indexOf("importBody") + 1));
    expect(codeOf(() => node.engine.bindingChild())).toBe("import/not-bound");
    run(node, fewSteps.slice(indexOf("importBody") + 1));
  });
});

function sinkOfFew(): string {
  const hashes = fewSteps.filter(({ call }) => call === "above").map(({ bytes }) => hashOf(bytes));
  // The highest of few blocks is one of the last twins: that with the greater hash.
  return hashes.slice(-2).toSorted().at(-1) ?? "";
}

describe("history of a store begun at a pruning point", () => {
  test("is refused record by record, thrown away when it is given up, and begun anew", () => {
    const node = new EngineNode();
    run(node, fewSteps);
    node.settle();
    const first = historyPage(node, source);
    const refused = (page: Uint8Array): string => codeOf(() => node.engine.importHistory(page));
    expect(refused(cutShort(first))).toBe("codec/unexpected-end");
    // A record begins with its length and its block.
    expect(refused(flip(4)(first))).toBe("history/wrong-record");
    // Behind the hash: the blue score, of which the header here says another thing.
    expect(refused(flip(4 + 32)(first))).toBe("history/wrong-record");
    const none = { kind: "wanted", base: point, below: "0", lowest: null };
    expect(historyOf(node.engine.historyProgress())).toEqual(none);
    expect(codeOf(() => node.engine.dropHistory())).toBe("answered");
    while (historyOf(node.engine.historyStep(1)).kind === "working");
    const blocks = blocksOf(first);
    const begun = { ...none, below: `${blocks.length}`, lowest: blocks.at(-1) };
    expect(historyOf(node.engine.importHistory(first))).toEqual(begun);
    // The record that is wanted is the next below, also after a kill.
    expect(refused(first)).toBe("history/wrong-record");
    node.reopen();
    expect(historyOf(node.engine.historyProgress())).toEqual(begun);
    node.engine.dropHistory();
    expect(historyOf(node.engine.historyProgress())).toEqual({ kind: "working" });
    expect(refused(first)).toBe("history/out-of-order");
    while (historyOf(node.engine.historyStep(1)).kind === "working");
    expect(historyOf(node.engine.historyProgress())).toEqual(none);
    expect(node.tip().historyComplete).toBe(false);
    fill(node);
    expect(node.tip().historyComplete).toBe(true);
    expect(codeOf(() => node.engine.dropHistory())).toBe("history/out-of-order");
  });

  test("with a note that was never minted is thrown away whole, and wanted again", () => {
    const honest = new EngineNode();
    const node = new EngineNode();
    for (const one of [honest, node]) {
      run(one, fewSteps);
      one.settle();
    }
    const pages = fill(honest);
    let isForged = false;
    const forgeOnce = (page: Uint8Array): Uint8Array => {
      const forged = isForged ? page : otherNote(page);
      isForged ||= !Buffer.from(page).equals(forged);
      return forged;
    };
    expect(fill(node, forgeOnce)).toBe(2 * pages);
    const { genesis } = node.tip();
    expect(node.engine.records(genesis, 15)).toEqual(source.engine.records(genesis, 15));
  });
});
