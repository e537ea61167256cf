/** The engine's session over stores that fail: nothing is acknowledged that a reopened store does not hold. */
import { describe, expect, test } from "vitest";
import type { EngineReport, ProofJob } from "@svc/node-server/engine/calls/engineMessages.ts";
import { EngineSession, type SessionParts } from "@svc/node-server/engine/host/engineSession.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import type { KvChange } from "@svc/node-server/storage/kv.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { BlockMaker, core, NOW_MS, recipient, simnet, sinkOf } from "./engineFixture.ts";

/** A store that fails its commits after a number of them: before they take place, or when they are in the store already. */
class FailingKv extends MemoryKv {
  commitsLeft = Number.POSITIVE_INFINITY;
  commits = 0;
  failsAfterwards = false;

  override commit(changes: readonly KvChange[]): void {
    if (this.commitsLeft <= 0) {
      if (this.failsAfterwards) super.commit(changes);
      throw new SvcError("store/commit-failed", { reason: "disk full" });
    }
    this.commitsLeft -= 1;
    this.commits += 1;
    super.commit(changes);
  }
}

/** A session whose turns run when the test says so. */
function openSession(store: FailingKv, prune: SessionParts["prune"] = null) {
  const engine = new core.Engine(kvHostStore(store), simnet);
  const reports: EngineReport[] = [];
  const turns: (() => void)[] = [];
  const timers: (() => void)[] = [];
  let ended = false;
  const session = new EngineSession({
    engine,
    prune,
    report: (report) => reports.push(report),
    flush: () => {},
    defer: (turn) => turns.push(turn),
    later: (call) => timers.push(call),
    ended: () => {
      ended = true;
    },
  });
  const turn = (): boolean => {
    const next = turns.shift();
    next?.();
    return next !== undefined;
  };
  const run = (): void => {
    for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) turn();
  };
  const answered = (): number[] =>
    reports.flatMap((report) => (report.kind === "answer" ? [report.id] : []));
  return { engine, session, reports, run, turn, timers, answered, hasEnded: () => ended };
}

const insert = (id: number, raw: Uint8Array) => ({
  id,
  call: { kind: "block", raw, nowMs: NOW_MS } as const,
});

/** Proofs asked for since the last call. */
function asked(reports: EngineReport[]): ProofJob[] {
  return reports.splice(0).flatMap((report) => (report.kind === "jobs" ? report.jobs : []));
}

describe("engine session and verdicts", () => {
  const { trunk } = readPaymentFixture();
  const last = core.computeHashes(trunk.at(-1) ?? new Uint8Array());

  test("a proof that could not be judged is asked for again after a pause; the chain resolves", () => {
    const store = new FailingKv();
    const { session, run, reports, timers } = openSession(store);
    trunk.forEach((raw, id) => session.receive(insert(id, raw)));
    run();
    const first = asked(reports);
    expect(first.length).toBeGreaterThan(0);
    for (const { txid, format } of first) session.receive({ unjudged: { txid, format } });
    run();
    expect(asked(reports)).toEqual([]);
    expect(timers.length).toBe(1);
    timers.shift()?.();
    run();
    for (let jobs = asked(reports); jobs.length > 0; jobs = asked(reports)) {
      for (const { txid, format } of jobs) {
        session.receive({ verdict: { txid, format, valid: true } });
      }
      run();
    }
    expect(sinkOf(new core.Engine(kvHostStore(store), simnet).tip())).toBe(readHash(last).hash);
  });

  test("a verdict that arrives during the pause counts; nothing is asked twice", () => {
    const store = new FailingKv();
    const { session, run, reports, timers } = openSession(store);
    trunk.forEach((raw, id) => session.receive(insert(id, raw)));
    run();
    const jobs = asked(reports);
    for (const { txid, format } of jobs) {
      session.receive({ unjudged: { txid, format } });
      session.receive({ verdict: { txid, format, valid: true } });
    }
    run();
    for (const timer of timers.splice(0)) timer();
    run();
    expect(asked(reports)).toEqual([]);
    expect(sinkOf(new core.Engine(kvHostStore(store), simnet).tip())).toBe(readHash(last).hash);
  });
});

describe("engine session and imports", () => {
  test("proofs of an imported body are judged like those of a block", () => {
    const { engine, session, run, reports } = openSession(new FailingKv());
    const job = { block: "aa".repeat(32), index: 1, txid: "bb".repeat(32), format: 1 };
    const verdicts: unknown[] = [];
    engine.importBody = () => JSON.stringify({ needVerdicts: [job, job], missing: 3 });
    engine.transactionBytes = (block, index) => Uint8Array.of(block.length, index);
    engine.noteVerdict = (...verdict) => verdicts.push(verdict);
    const call = { kind: "import", step: "importBody", args: [new Uint8Array()] } as const;
    session.receive({ id: 1, call });
    run();
    const { txid, format } = job;
    expect(asked(reports)).toEqual([{ txid, format, raw: Uint8Array.of(64, 1) }]);
    session.receive({ verdict: { txid, format, valid: true } });
    run();
    expect(verdicts).toEqual([[txid, format, true]]);
  });

  test("steps are taken one a turn, when no block waits", () => {
    const maker = new BlockMaker();
    const { engine, session, run, answered } = openSession(new FailingKv());
    run();
    engine.historyStep = () => '{"kind":"working"}';
    const step = { kind: "import", step: "historyStep", args: [1] } as const;
    session.receive({ id: 10, call: step });
    session.receive({ id: 11, call: step });
    session.receive(insert(1, maker.next(recipient(1))));
    session.receive(insert(2, maker.next(recipient(1))));
    run();
    expect(answered()).toEqual([1, 2, 10, 11]);
  });

  test("a call that is none is refused", () => {
    const { session, run, reports } = openSession(new FailingKv());
    const call = { kind: "import", step: "finishImport", args: [] } as const;
    session.receive({ id: 1, call });
    run();
    expect(reports.at(-1)).toMatchObject({ error: { code: "import/out-of-order" } });
  });
});

describe("engine session", () => {
  test("first blocks go before others that wait, in their own order", () => {
    const maker = new BlockMaker();
    const blocks = Array.from({ length: 5 }, () => maker.next(recipient(1)));
    const { session, run, answered } = openSession(new FailingKv());
    // Those without their parents are answered as well, in the order in which they are looked at.
    blocks.forEach((raw, id) => {
      const { call } = insert(id, raw);
      session.receive({ id, call: { ...call, first: id === 2 || id === 4 } });
    });
    run();
    expect(answered()).toEqual([2, 4, 0, 1, 3]);
  });

  test.each([
    ["before it takes place", false],
    ["when it has taken place", true],
  ])(
    "a commit that fails %s ends the session; every answered block is in the reopened store",
    (_, failsAfterwards) => {
      const maker = new BlockMaker();
      const blocks = Array.from({ length: 12 }, () => maker.next(recipient(1)));
      for (let commits = 0; commits < 12; commits += 1) {
        const store = new FailingKv();
        const first = openSession(store);
        first.run();
        Object.assign(store, { commitsLeft: commits, failsAfterwards });
        blocks.forEach((raw, id) => first.session.receive(insert(id, raw)));
        first.run();
        const failure = first.reports.find((report) => report.kind === "failed");
        expect(failure).toMatchObject({ error: { code: "store/commit-failed" } });
        expect(first.hasEnded()).toBe(true);
        store.commitsLeft = Number.POSITIVE_INFINITY;
        const reopened = new core.Engine(kvHostStore(store), simnet);
        for (const id of first.answered()) {
          const { hash } = readHash(core.computeHashes(blocks[id] ?? new Uint8Array()));
          expect(reopened.blockBytes(hash)).toEqual(blocks[id]);
        }
        const second = openSession(store);
        blocks.forEach((raw, id) => second.session.receive(insert(id, raw)));
        second.run();
        expect(second.answered().length).toBe(12);
        expect(sinkOf(new core.Engine(kvHostStore(store), simnet).tip())).toBe(maker.sink());
      }
    },
  );

  test("a group shares one commit, made when it is full; the next one waits for more", () => {
    const maker = new BlockMaker();
    const store = new FailingKv();
    const { session, run, turn, answered, reports } = openSession(store);
    session.receive({ id: 1000, call: { kind: "group", on: true } });
    run();
    const before = store.commits;
    const { groupCommitBlocks, groupCommitFew } = ENGINE_LIMITS;
    for (let id = 0; id < groupCommitBlocks + groupCommitFew - 1; id += 1) {
      session.receive(insert(id, maker.next(recipient(1))));
    }
    while (store.commits === before) {
      expect(answered()).toEqual([1000]);
      expect(reports.some((report) => report.kind === "events")).toBe(false);
      turn();
    }
    run();
    expect(store.commits).toBe(before + 1);
    expect(answered().length).toBe(groupCommitBlocks + 1);
    const facts = reports.flatMap((report) => (report.kind === "events" ? report.events : []));
    expect(facts.filter((event) => event.type === "blockAdded").length).toBe(groupCommitBlocks);
    // The events of a group leave together, before its answers.
    const kinds = reports.map((report) => report.kind);
    expect(kinds.filter((kind) => kind === "events").length).toBe(1);
    expect(kinds.lastIndexOf("events")).toBe(kinds.indexOf("answer", 1) - 1);
  });

  test("a caller with fewer blocks in flight than a group holds does not wait for the time", () => {
    const maker = new BlockMaker();
    const store = new FailingKv();
    const { session, run, answered } = openSession(store);
    session.receive({ id: 1000, call: { kind: "group", on: true } });
    run();
    const before = store.commits;
    const few = ENGINE_LIMITS.groupCommitFew;
    for (let id = 0; id < few; id += 1) session.receive(insert(id, maker.next(recipient(1))));
    run();
    expect(answered().length).toBe(few + 1);
    expect(store.commits).toBe(before + 1);
  });

  test("virtual that waited for verdicts comes up with shared commits when the loading is over", () => {
    const { trunk } = readPaymentFixture();
    const store = new FailingKv();
    const { session, run, answered, reports } = openSession(store);
    session.receive({ id: 1000, call: { kind: "group", on: true } });
    trunk.forEach((raw, id) => session.receive(insert(id, raw)));
    run();
    session.receive({ id: 1001, call: { kind: "group", on: false } });
    run();
    expect(answered().toSorted((a, b) => a - b)).toEqual([...trunk.keys(), 1000, 1001]);
    const before = store.commits;
    for (let jobs = asked(reports); jobs.length > 0; jobs = asked(reports)) {
      for (const { txid, format } of jobs) {
        session.receive({ verdict: { txid, format, valid: true } });
      }
      run();
    }
    const last = core.computeHashes(trunk.at(-1) ?? new Uint8Array());
    const { hash }: { hash: string } = JSON.parse(last);
    expect(sinkOf(new core.Engine(kvHostStore(store), simnet).tip())).toBe(hash);
    // One more at most for the verdicts themselves.
    expect(store.commits - before).toBeLessThanOrEqual(2);
  });

  test("a block that comes while the last proofs of the loading are judged waits for nobody", () => {
    const maker = new BlockMaker();
    const store = new FailingKv();
    const { trunk } = readPaymentFixture();
    const { session, run, answered } = openSession(store);
    session.receive({ id: 1000, call: { kind: "group", on: true } });
    trunk.forEach((raw, id) => session.receive(insert(id, raw)));
    run();
    session.receive({ id: 1001, call: { kind: "group", on: false } });
    run();
    session.receive(insert(1002, maker.next(recipient(1))));
    run();
    expect(answered()).toContain(1002);
  });

  test("a group that does not fill is committed when its time is up", () => {
    const maker = new BlockMaker();
    const store = new FailingKv();
    const { session, run, answered, timers } = openSession(store);
    session.receive({ id: 1000, call: { kind: "group", on: true } });
    session.receive(insert(1, maker.next(recipient(1))));
    run();
    expect(answered()).toEqual([1000]);
    for (const timer of timers) timer();
    run();
    expect(answered()).toEqual([1000, 1]);
    expect(sinkOf(new core.Engine(kvHostStore(store), simnet).tip())).toBe(maker.sink());
  });

  test("questions go before blocks that came earlier", () => {
    const maker = new BlockMaker();
    const { session, run, answered } = openSession(new FailingKv());
    run();
    for (let id = 0; id < 5; id += 1) session.receive(insert(id, maker.next(recipient(1))));
    session.receive({ id: 99, call: { kind: "ask", question: "tip", args: [] } });
    run();
    expect(answered()).toEqual([99, 0, 1, 2, 3, 4]);
  });
});

describe("engine session and pruning", () => {
  /** Steps of pruning, the last of which says that it is done. */
  function steps(count: number) {
    const budgets: number[] = [];
    const events = [{ type: "pruned", point: "00".repeat(32), historyFromDaaScore: "7" }];
    const prune = (budget: number): string => {
      budgets.push(budget);
      const done = budgets.length % count === 0;
      return JSON.stringify({ done, blocks: 2, events: done ? events : [] });
    };
    return { budgets, prune };
  }

  test("takes a step a turn while nobody waits, and starts anew when virtual has moved", () => {
    const maker = new BlockMaker();
    const { budgets, prune } = steps(5);
    const { session, run, turn, reports, answered } = openSession(new FailingKv(), prune);
    // The first turn resolves what a store may have left; each of the next takes a step.
    turn();
    turn();
    turn();
    expect(budgets.length).toBe(2);
    session.receive(insert(1, maker.next(recipient(1))));
    session.receive({ id: 2, call: { kind: "ask", question: "tip", args: [] } });
    while (answered().length < 2) {
      expect(turn()).toBe(true);
      expect(budgets.length).toBe(2);
    }
    run();
    expect(budgets).toEqual(Array.from({ length: 5 }, () => ENGINE_LIMITS.pruneStepBlocks));
    const facts = reports.flatMap((report) => (report.kind === "events" ? report.events : []));
    expect(facts.at(-1)).toEqual({
      type: "pruned",
      point: "00".repeat(32),
      historyFromDaaScore: 7n,
    });
    run();
    expect(budgets.length).toBe(5);
    session.receive(insert(3, maker.next(recipient(1))));
    run();
    expect(budgets.length).toBe(10);
  });

  test("a node that is never idle takes a step every so many blocks", () => {
    const maker = new BlockMaker();
    const { budgets, prune } = steps(1_000_000);
    const { session, turn, answered } = openSession(new FailingKv(), prune);
    const blocks = 3 * ENGINE_LIMITS.pruneEveryBlocks;
    // One more than is looked at waits at any time.
    for (let id = 0; id <= blocks; id += 1) session.receive(insert(id, maker.next(recipient(1))));
    while (answered().length < blocks) expect(turn()).toBe(true);
    expect(budgets.length).toBe(2);
    expect(turn()).toBe(true);
    expect(budgets.length).toBe(3);
  });

  test("a node that cannot prune says so, goes on, and asks again when virtual has moved", () => {
    const maker = new BlockMaker();
    let calls = 0;
    // As the engine: the failure is said once for a pruning point.
    const { session, run, reports, answered } = openSession(new FailingKv(), () => {
      calls += 1;
      if (calls === 1) throw new SvcError("proof/empty-level", { level: 3 });
      return JSON.stringify({ done: true, blocks: 0, events: [] });
    });
    run();
    expect(calls).toBe(1);
    session.receive(insert(1, maker.next(recipient(1))));
    run();
    expect([calls, answered()]).toEqual([2, [1]]);
    expect(reports.filter((report) => report.kind === "unpruned").length).toBe(1);
  });

  test("a store that fails while it is pruned ends the session", () => {
    const { run, reports, hasEnded } = openSession(new FailingKv(), () => {
      throw new SvcError("store/commit-failed", { reason: "disk full" });
    });
    run();
    expect(hasEnded()).toBe(true);
    expect(reports.at(-1)).toMatchObject({ kind: "failed" });
  });
});

function readHash(json: string): { hash: string } {
  const value: unknown = JSON.parse(json);
  if (typeof value === "object" && value !== null && "hash" in value)
    return { hash: String(value.hash) };
  throw new Error("no hash");
}
