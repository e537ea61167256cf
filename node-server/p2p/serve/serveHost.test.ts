/** The serving thread's owner, with threads played by the test. */
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { readEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { StoreFaults } from "../../engine/calls/storeFaults.ts";
import { createLog } from "../../platform/log/log.ts";
import { ScriptedThread } from "../../platform/testkit/scriptedThread.ts";
import { settle } from "../testkit/linkedPeer.ts";
import { ServeHost } from "./serveHost.ts";
import type { ServedPage, ServeReport, ServeRequest } from "./serveMessages.ts";

const never = new AbortController().signal;
const question = { kind: "blockLocator", high: "ab", limit: 3 } as const;
const page: ServedPage = { messages: [Uint8Array.of(1)], next: null };
const failure = new SvcError("internal/unexpected", { message: "a test" });
const noEngine = { ask: () => Promise.reject(failure) };
const log = createLog("silent");

function hostOf(storeFaults: Pick<StoreFaults, "ends"> = { ends: () => false }) {
  const threads: ScriptedThread<ServeRequest, ServeReport>[] = [];
  const spawn = () => {
    const thread = new ScriptedThread<ServeRequest, ServeReport>();
    threads.push(thread);
    return thread;
  };
  const host = new ServeHost({ spawn, engine: noEngine, log, storeFaults });
  host.start();
  const last = () => {
    const thread = threads.at(-1);
    if (thread === undefined) throw new Error("no thread");
    return thread;
  };
  return { host, threads, last };
}

describe("the serving thread's owner", () => {
  it("asks when the thread is ready, and hands answers and refusals back", async () => {
    const { host, last } = hostOf();
    const [a, b] = [host.ask(question, never), host.ask(question, never)];
    await settle();
    expect(last().requests).toEqual([]);
    last().report({ kind: "opened" });
    await settle();
    expect(last().requests).toMatchObject([{ id: 1, question }, { id: 2 }]);
    last().report({ kind: "answer", id: 1, page });
    const error = new SvcError("chain/unknown-block", { hash: "ab" });
    last().report({ kind: "refused", id: 2, error: error.toJSON() });
    expect(await a).toEqual(page);
    await expect(b).rejects.toMatchObject({ code: "chain/unknown-block" });
  });

  it("replaces a thread that fails, so often, and never asks the engine instead", async () => {
    const { host, threads, last } = hostOf();
    last().report({ kind: "opened" });
    const lost = host.ask(question, never);
    await settle();
    last().report({ kind: "failed", error: failure.toJSON() });
    last().exit(failure);
    await expect(lost).rejects.toMatchObject({ code: "engine/restarted" });
    const next = host.ask(question, never);
    last().report({ kind: "opened" });
    await settle();
    last().report({ kind: "answer", id: 2, page });
    expect(await next).toEqual(page);
    for (let time = 0; time <= PLATFORM_LIMITS.workerRestarts; time += 1) last().exit(failure);
    expect(threads).toHaveLength(2 + PLATFORM_LIMITS.workerRestarts);
    await expect(host.ask(question, never)).rejects.toMatchObject({ code: "engine/restarted" });
  });

  it("does not replace one that ended by what ends the node", async () => {
    const { threads, last } = hostOf({ ends: ({ code }) => code === "store/missing" });
    last().exit(failure);
    expect(threads).toHaveLength(2);
    last().exit(new SvcError("store/missing", { table: "header", key: "ab" }));
    expect(threads).toHaveLength(2);
  });

  it("lets go of the store while it is exchanged, and of everything at the end", async () => {
    const { host, threads, last } = hostOf();
    last().report({ kind: "opened" });
    await host.whileClosed(async () => {
      expect(last().requests).toEqual([{ stop: true }]);
      expect(threads).toHaveLength(1);
    });
    expect(threads).toHaveLength(2);
    const waits = host.ask(question, never);
    await host.stop();
    await expect(waits).rejects.toMatchObject({ code: "node/stopping" });
    await expect(host.ask(question, never)).rejects.toMatchObject({ code: "node/stopping" });
    await host.stop();
  });

  it("leaves the engine to answer for a chain in memory, and serves no pruning point", async () => {
    const engine = { ask: async (): Promise<never> => new Uint8Array(64).fill(7) as never };
    const host = new ServeHost({ spawn: null, engine, log });
    host.start();
    const names = async (...asked: Parameters<ServeHost["ask"]>[0][]) => {
      const pages = await Promise.all(asked.map((each) => host.ask(each, never)));
      return pages.flatMap(({ messages }) =>
        messages.map((bytes) => readEnvelope(bytes).payload?.$case),
      );
    };
    expect(await names(question, { kind: "proof" }, { kind: "points" })).toEqual([
      "blockLocator",
      "unexpectedPruningPoint",
      "unexpectedPruningPoint",
    ]);
    const left = new AbortController();
    left.abort();
    await expect(host.ask(question, left.signal)).rejects.toMatchObject({ code: "run/aborted" });
  });
});
