import { setImmediate as settle } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { asBlockHash, asBlueScore } from "@svc/shared/base/brand.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { createLog } from "../../platform/log/log.ts";
import { ScriptedThread } from "../../platform/testkit/scriptedThread.ts";
import type { EngineEvent, InsertOutcome } from "../calls/engineFacts.ts";
import { EngineHost, type NodeEvent } from "./engineHost.ts";
import type { EngineReport, EngineRequest, ProofJob } from "../calls/engineMessages.ts";
import { ReaderHost } from "../read/readerHost.ts";
import type { ReaderReport, ReaderRequest } from "../read/readerMessages.ts";

const FULL = new SvcError("store/commit-failed", { reason: "disk full" });
const PANIC = new SvcError("engine/panic", { message: "crashed" });
const MISSING = new SvcError("store/missing", { table: "header", key: "ab" });
type EngineThread = ScriptedThread<EngineRequest, EngineReport>;

function createHost(judge: (job: ProofJob) => Promise<boolean> = () => Promise.resolve(true)) {
  const threads: EngineThread[] = [];
  const fatal: string[] = [];
  const log = createLog("silent");
  const host = new EngineHost({
    setBatchDelay: () => undefined,
    spawn: () => {
      const thread: EngineThread = new ScriptedThread();
      threads.push(thread);
      return thread;
    },
    judge,
    log,
    onFatal: (error) => fatal.push(error.code),
  });
  const fail = (n: number, error: SvcError = FULL): void => {
    threads[n]?.report({ kind: "failed", error: error.toJSON() });
    threads[n]?.exit(new SvcError("internal/unexpected", { message: "a thread ended" }));
  };
  return { host, threads, fatal, fail, log };
}

/** The code that a call rejects with, heard from now on. */
const codeOf = (call: Promise<unknown>): Promise<string> => rejectionCode(call, "answered");

const tipReport = (id: number): EngineReport => ({
  kind: "answer",
  id,
  answer: { kind: "ask", value: "{}" },
});

describe("engine host", () => {
  test("a start that fails rejects with the store's error and is not tried again", async () => {
    const { host, threads, fatal, fail } = createHost();
    const started = host.start();
    fail(0);
    await expect(started).rejects.toThrow("store/commit-failed");
    expect([threads.length, fatal]).toEqual([1, []]);
  });

  test("headers are answered one by one", async () => {
    const { host, threads } = createHost();
    const started = host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    await started;
    const asked = host.insertHeaders(new Uint8Array([1]), 5n);
    const request = threads[0]?.requests.at(-1);
    expect(request).toMatchObject({
      call: { kind: "headers", raw: new Uint8Array([1]), nowMs: 5n },
    });
    const hash = asBlockHash("00".repeat(32));
    const value: InsertOutcome[] = [
      { kind: "accepted", hash, new: true, needVerdicts: [] },
      { kind: "missingParents", hash, parents: [hash] },
    ];
    threads[0]?.report({ kind: "answer", id: 1, answer: { kind: "headers", value } });
    expect(await asked).toEqual(value);
  });

  test("when the engine fails, waiting calls are told, it is reopened and listeners hear of it", async () => {
    const { host, threads, fail } = createHost();
    const events: NodeEvent["type"][] = [];
    host.onEvent((event) => events.push(event.type));
    const started = host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    await started;
    const waiting = [host.ask("tip", []), host.insertBlock(new Uint8Array(), 0n)];
    fail(0);
    for (const call of waiting) await expect(call).rejects.toThrow("engine/restarted");
    expect(events).toEqual(["engineRestarted"]);
    const asked = host.ask("tip", []);
    expect(threads[1]?.requests.length).toBe(1);
    // An answer of the lost thread for a number it never got changes nothing.
    threads[1]?.report(tipReport(99));
    threads[1]?.report(tipReport(3));
    expect(await asked).toBe("{}");
  });

  test("blocks go on sharing commits when it is reopened, until that is switched off", async () => {
    const { host, threads, fail } = createHost();
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    expect(threads[0]?.requests).toEqual([]);
    host.setGroupCommit(true);
    fail(0);
    expect(threads[1]?.requests).toEqual([{ id: 0, call: { kind: "group", on: true } }]);
    host.setGroupCommit(false);
    fail(1);
    expect(threads[2]?.requests).toEqual([]);
  });

  test("the log says when a store was brought to a new layout", async () => {
    const { host, threads, log } = createHost();
    const info = vi.spyOn(log, "info");
    const started = host.start();
    threads[0]?.report({ kind: "opened", migrated: ["one step"] });
    await started;
    expect(info).toHaveBeenCalledWith({ steps: ["one step"] }, expect.any(String));
  });

  test("failures in a row are bounded; a success in between counts them anew", async () => {
    const { host, threads, fatal, fail } = createHost();
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    for (let n = 0; n < PLATFORM_LIMITS.workerRestarts; n += 1) fail(n, PANIC);
    expect(fatal).toEqual([]);
    const asked = host.ask("tip", []);
    threads[PLATFORM_LIMITS.workerRestarts]?.report(tipReport(1));
    await asked;
    for (let n = 0; n < PLATFORM_LIMITS.workerRestarts; n += 1)
      fail(PLATFORM_LIMITS.workerRestarts + n, PANIC);
    expect(fatal).toEqual([]);
    fail(2 * PLATFORM_LIMITS.workerRestarts, PANIC);
    expect(fatal).toEqual(["engine/panic"]);
    await expect(host.ask("tip", [])).rejects.toThrow("engine/restarted");
  });

  test("a store that fails ends the node although questions are answered; a block in between counts anew", async () => {
    const { host, threads, fatal, fail } = createHost();
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    let id = 0;
    const answerAndFail = (n: number, answer: EngineReport): void => {
      id += 1;
      threads[n]?.report(answer);
      fail(n);
    };
    const headers: EngineReport = {
      kind: "answer",
      id: 0,
      answer: { kind: "headers", value: [] },
    };
    for (let n = 0; n < ENGINE_LIMITS.memoryRestarts; n += 1) answerAndFail(n, tipReport(id));
    answerAndFail(ENGINE_LIMITS.memoryRestarts, headers);
    const last = 2 * ENGINE_LIMITS.memoryRestarts;
    for (let n = 1 + ENGINE_LIMITS.memoryRestarts; n < last; n += 1)
      answerAndFail(n, tipReport(id));
    expect(fatal).toEqual([]);
    answerAndFail(last, tipReport(id));
    expect(fatal).toEqual(["store/commit-failed"]);
    expect(threads.length).toBe(last + 1);
  });

  test("a store that lacks something ends the node after so many times, whatever is taken in between", async () => {
    const { host, threads, fatal, fail } = createHost();
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    for (let n = 0; n < ENGINE_LIMITS.storeFaultsMost; n += 1) {
      expect([threads.length, fatal]).toEqual([n + 1, []]);
      threads[n]?.report({ kind: "answer", id: 0, answer: { kind: "headers", value: [] } });
      fail(n, MISSING);
    }
    expect([threads.length, fatal]).toEqual([ENGINE_LIMITS.storeFaultsMost, ["store/missing"]]);
    await expect(host.ask("tip", [])).rejects.toThrow("store/missing");
  });

  test("a damaged store is not opened again, and whoever asks hears what is damaged", async () => {
    const { host, threads, fatal } = createHost();
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    const asked = codeOf(host.ask("tip", []));
    const { code, data } = new SvcError("store/damaged", { file: "f", folder: "d", reason: "r" });
    threads[0]?.report({ kind: "failed", error: { code, data } });
    threads[0]?.exit(new SvcError("internal/unexpected", { message: "a thread ended" }));
    expect(await asked).toBe("store/damaged");
    expect([threads.length, fatal]).toEqual([1, ["store/damaged"]]);
    await expect(host.ask("tip", [])).rejects.toThrow("store/damaged");
  });

  test("too many open calls are refused", async () => {
    const { host, threads } = createHost();
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    const open: Promise<unknown>[] = [];
    for (let n = 0; n < ENGINE_LIMITS.engineQuestions; n += 1) open.push(host.ask("tip", []));
    await expect(host.ask("tip", [])).rejects.toThrow("queue/full");
    threads[0]?.report(tipReport(1));
    await open[0];
    void host.ask("tip", []).catch(() => {});
    expect(threads[0]?.requests.length).toBe(ENGINE_LIMITS.engineQuestions + 1);
    void Promise.allSettled(open);
  });

  test("an answer in a form that does not belong to the question is our defect", async () => {
    const { host, threads } = createHost();
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    const asked = host.ask("records", ["00", 1]);
    threads[0]?.report(tipReport(1));
    await expect(asked).rejects.toThrow("internal/unexpected");
  });

  test("listeners hear of a chain without the finality point, as of everything else", () => {
    const { host, threads } = createHost();
    void host.start();
    const heard: NodeEvent[] = [];
    host.onEvent((event) => heard.push(event));
    const violation: EngineEvent = {
      type: "finalityViolation",
      tip: asBlockHash("00"),
      blueScore: asBlueScore(7n),
    };
    threads[0]?.report({ kind: "events", events: [violation] });
    expect(heard).toEqual([violation]);
  });

  test("a listener that throws does not keep the others from hearing", () => {
    const { host, threads } = createHost();
    void host.start();
    const heard: string[] = [];
    host.onEvent(() => {
      throw new Error("broken");
    });
    const end = host.onEvent((event) => heard.push(event.type));
    const events: EngineEvent[] = [{ type: "blockAdded", hash: asBlockHash("00"), parents: [] }];
    threads[0]?.report({ kind: "events", events });
    end();
    threads[0]?.report({ kind: "events", events });
    expect(heard).toEqual(["blockAdded"]);
  });

  test("proofs the engine asks for are judged, and the verdict goes to whatever thread runs then", async () => {
    const verdicts = Promise.withResolvers<boolean>();
    const { host, threads, fail } = createHost(() => verdicts.promise);
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    const job: ProofJob = { txid: "aa", format: 1, raw: new Uint8Array() };
    threads[0]?.report({ kind: "jobs", jobs: [job] });
    fail(0);
    verdicts.resolve(false);
    await verdicts.promise;
    await Promise.resolve();
    expect(threads[1]?.requests).toEqual([{ verdict: { txid: "aa", format: 1, valid: false } }]);
  });
});

describe("a proof that cannot be judged", () => {
  test("is given back to the engine, which asks again", async () => {
    let asked = 0;
    const { host, threads } = createHost(async () => {
      asked += 1;
      if (asked === 1) throw new SvcError("engine/panic", { message: "crashed" });
      return true;
    });
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    const job: ProofJob = { txid: "aa", format: 1, raw: new Uint8Array() };
    threads[0]?.report({ kind: "jobs", jobs: [job] });
    await settle();
    expect(threads[0]?.requests).toEqual([{ unjudged: { txid: "aa", format: 1 } }]);
    threads[0]?.report({ kind: "jobs", jobs: [job] });
    await settle();
    expect(threads[0]?.requests[1]).toEqual({ verdict: { txid: "aa", format: 1, valid: true } });
  });
});

describe("another store in the place of the engine's", () => {
  async function opened() {
    const made = createHost();
    const started = made.host.start();
    made.threads[0]?.report({ kind: "opened", migrated: [] });
    await started;
    const events: string[] = [];
    made.host.onEvent((event) => events.push(event.type));
    return { ...made, events };
  }

  test("waiting calls and those meanwhile are told, listeners hear of it, the new store answers", async () => {
    const { host, threads, events } = await opened();
    const waiting = host.ask("tip", []);
    const moved = Promise.withResolvers<void>();
    const replaced = host.replace(() => moved.promise);
    expect(threads[0]?.requests.at(-1)).toMatchObject({ call: { kind: "stop" } });
    await expect(waiting).rejects.toThrow("engine/restarted");
    await expect(host.ask("tip", [])).rejects.toThrow("engine/restarted");
    await expect(host.replace(async () => {})).rejects.toThrow("engine/restarted");
    expect([threads.length, events]).toEqual([1, []]);
    // The thread that ended on purpose is not replaced for it.
    threads[0]?.exit(new SvcError("internal/unexpected", { message: "a thread ended" }));
    moved.resolve();
    await settle();
    expect([threads.length, events]).toEqual([2, ["engineRestarted"]]);
    threads[1]?.report({ kind: "opened", migrated: [] });
    await replaced;
    const asked = host.ask("tip", []);
    threads[1]?.report(tipReport(2));
    expect(await asked).toBe("{}");
  });

  test("when it cannot be put in place what is there is opened again", async () => {
    const { host, threads, events } = await opened();
    const replaced = host.replace(() => Promise.reject(new Error("disk full")));
    await expect(replaced).rejects.toThrow("disk full");
    expect([threads.length, events]).toEqual([2, ["engineRestarted"]]);
  });

  test("when it cannot be opened the caller hears of it, and the node after as many tries as ever", async () => {
    const { host, threads, fatal, fail } = await opened();
    const replaced = host.replace(async () => {});
    const refused = codeOf(replaced);
    await settle();
    for (let n = 1; n <= PLATFORM_LIMITS.workerRestarts + 1; n += 1) fail(n);
    expect(await refused).toBe("store/commit-failed");
    expect(threads.length).toBe(PLATFORM_LIMITS.workerRestarts + 2);
    expect(fatal).toEqual(["store/commit-failed"]);
  });

  test("a stop meanwhile waits for the move, and nothing is opened after it", async () => {
    const { host, threads } = await opened();
    const moved = Promise.withResolvers<void>();
    const replaced = host.replace(() => moved.promise);
    const refused = codeOf(replaced);
    await settle();
    const stopped = host.stop();
    moved.resolve();
    expect(await refused).toBe("node/stopping");
    await stopped;
    expect(threads.length).toBe(1);
  });
});

describe("calls of an import", () => {
  test("are answered in their form, and hand their buffers over", async () => {
    const { host, threads } = createHost();
    void host.start();
    threads[0]?.report({ kind: "opened", migrated: [] });
    const page = new Uint8Array(8);
    const taken = host.importStep("importPoints", [page], { moved: [page.buffer] });
    expect(threads[0]?.requests.at(-1)).toMatchObject({
      call: { kind: "import", step: "importPoints" },
    });
    threads[0]?.report({ kind: "answer", id: 1, answer: { kind: "import", value: true } });
    expect(await taken).toBe(true);
    const wrong = host.importStep("finishImport", []);
    threads[0]?.report({ kind: "answer", id: 2, answer: { kind: "import", value: "null" } });
    await expect(wrong).rejects.toThrow("internal/unexpected");
  });
});

describe("reader host", () => {
  test("lets go of the store while another is put in its place; the engine answers meanwhile", async () => {
    const threads: ScriptedThread<ReaderRequest, ReaderReport>[] = [];
    const engine = createHost();
    void engine.host.start();
    engine.threads[0]?.report({ kind: "opened", migrated: [] });
    const reader = new ReaderHost({
      spawn: () => {
        const thread = new ScriptedThread<ReaderRequest, ReaderReport>();
        threads.push(thread);
        return thread;
      },
      engine: engine.host,
      log: createLog("silent"),
    });
    reader.start();
    threads[0]?.report({ kind: "opened" });
    const waiting = reader.ask("tip", []);
    const refused = codeOf(waiting);
    const moved = Promise.withResolvers<void>();
    const replaced = reader.whileClosed(() => moved.promise);
    expect(threads[0]?.requests.at(-1)).toEqual({ stop: true });
    const meanwhile = reader.ask("tip", []);
    engine.threads[0]?.report(tipReport(1));
    expect(await meanwhile).toBe("{}");
    expect(await refused).toBe("engine/restarted");
    threads[0]?.exit(new SvcError("internal/unexpected", { message: "a thread ended" }));
    expect(threads.length).toBe(1);
    moved.resolve();
    await replaced;
    expect(threads.length).toBe(2);
    threads[1]?.report({ kind: "opened" });
    const asked = reader.ask("tip", []);
    threads[1]?.report({ kind: "answer", id: 2, value: "[]" });
    expect(await asked).toBe("[]");
  });

  test("the engine answers until a reader is there and when it is lost for good", async () => {
    const threads: ScriptedThread<ReaderRequest, ReaderReport>[] = [];
    const engine = createHost();
    void engine.host.start();
    engine.threads[0]?.report({ kind: "opened", migrated: [] });
    const reader = new ReaderHost({
      spawn: () => {
        const thread = new ScriptedThread<ReaderRequest, ReaderReport>();
        threads.push(thread);
        return thread;
      },
      engine: engine.host,
      log: createLog("silent"),
    });
    reader.start();
    const early = reader.ask("tip", []);
    engine.threads[0]?.report(tipReport(1));
    expect(await early).toBe("{}");
    threads[0]?.report({ kind: "opened" });
    await reader.ready;
    const lost = reader.ask("tip", []);
    for (let n = 0; n <= PLATFORM_LIMITS.workerRestarts; n += 1) {
      threads[n]?.exit(new SvcError("engine/panic", { message: "crashed" }));
    }
    await expect(lost).rejects.toThrow("engine/restarted");
    expect(threads.length).toBe(PLATFORM_LIMITS.workerRestarts + 1);
    const late = reader.ask("tip", []);
    engine.threads[0]?.report(tipReport(2));
    expect(await late).toBe("{}");
  });

  test("a reader is not started again when what it met ends the node", () => {
    const threads: ScriptedThread<ReaderRequest, ReaderReport>[] = [];
    const told: string[] = [];
    const reader = new ReaderHost({
      spawn: () => {
        const thread = new ScriptedThread<ReaderRequest, ReaderReport>();
        threads.push(thread);
        return thread;
      },
      engine: createHost().host,
      log: createLog("silent"),
      storeFaults: { ends: ({ code }) => told.push(code) === 2 },
    });
    reader.start();
    for (let n = 0; n < 2; n += 1) {
      threads[n]?.report({ kind: "failed", error: MISSING.toJSON() });
      threads[n]?.exit(new SvcError("internal/unexpected", { message: "a thread ended" }));
    }
    expect([threads.length, told]).toEqual([2, ["store/missing", "store/missing"]]);
  });
});
