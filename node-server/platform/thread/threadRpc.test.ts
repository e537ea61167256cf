/** Calls to a supervised thread that the test plays. */
import { describe, expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { ScriptedThread } from "../testkit/scriptedThread.ts";
import { ThreadRpc, type RpcReport, type RpcRequest } from "./threadRpc.ts";

type Call = { readonly text: string };
type Answer = { readonly length: number };

const crash = new SvcError("internal/unexpected", { message: "a thread ended" });

function rpcOf({
  limit = 2,
  mayGoOn = () => true,
}: { limit?: number; mayGoOn?: () => boolean } = {}) {
  const threads: ScriptedThread<RpcRequest<Call>, RpcReport<Answer>>[] = [];
  const failures: number[] = [];
  const rpc = new ThreadRpc<Call, Answer>({
    name: "lengths",
    limit,
    spawn: () => {
      const thread = new ScriptedThread<RpcRequest<Call>, RpcReport<Answer>>();
      threads.push(thread);
      return thread;
    },
    onFailure: (_, count) => {
      failures.push(count);
      return mayGoOn();
    },
  });
  const last = () => {
    const thread = threads.at(-1);
    if (thread === undefined) throw new Error("no thread");
    return thread;
  };
  const open = async () => {
    last().report({ kind: "opened" });
    await rpc.opened;
  };
  rpc.start();
  return { rpc, threads, failures, last, open };
}

describe("calls to a thread", () => {
  it("wait until it is open, and are answered by their numbers", async () => {
    const { rpc, last, open } = rpcOf();
    const early = rpc.call({ text: "a" });
    expect([rpc.isOpen, last().requests]).toEqual([false, []]);
    await open();
    const late = rpc.call({ text: "bc" });
    expect([rpc.isOpen, last().requests]).toEqual([
      true,
      [
        { id: 1, text: "a" },
        { id: 2, text: "bc" },
      ],
    ]);
    last().report({ kind: "answer", id: 2, length: 2 });
    last().report({ kind: "refused", id: 1, error: crash.toJSON() });
    expect(await late).toMatchObject({ length: 2 });
    expect(await rejectionCode(early)).toBe(crash.code);
  });

  it("are bounded, and may be given up", async () => {
    const { rpc, last, open } = rpcOf({ limit: 1 });
    await open();
    const stop = new AbortController();
    const given = rpc.call({ text: "a" }, stop.signal);
    expect(await rejectionCode(rpc.call({ text: "b" }))).toBe("queue/full");
    stop.abort();
    expect(await rejectionCode(given)).toBe("run/aborted");
    expect(await rejectionCode(rpc.call({ text: "c" }, stop.signal))).toBe("run/aborted");
    expect(last().requests).toHaveLength(1);
  });

  it("are lost with it, and the next ones wait for another thread", async () => {
    const { rpc, threads, failures, last, open } = rpcOf();
    await open();
    const lost = rpc.call({ text: "a" });
    last().exit(crash);
    expect(await rejectionCode(lost)).toBe("engine/restarted");
    const next = rpc.call({ text: "b" });
    await open();
    last().report({ kind: "answer", id: 2, length: 1 });
    expect(await next).toMatchObject({ length: 1 });
    last().exit(crash);
    // An answer between two failures begins their count anew.
    expect([threads.length, failures]).toEqual([3, [1, 1]]);
  });

  it("wait for none when threads failed too often in a row, or may not be replaced", async () => {
    const often = rpcOf();
    const waiting = often.rpc.call({ text: "a" });
    for (let time = 0; time <= PLATFORM_LIMITS.workerRestarts; time += 1) often.last().exit(crash);
    expect(often.threads).toHaveLength(1 + PLATFORM_LIMITS.workerRestarts);
    const once = rpcOf({ mayGoOn: () => false });
    once.last().exit(crash);
    expect(once.threads).toHaveLength(1);
    for (const call of [waiting, often.rpc.call({ text: "b" }), once.rpc.call({ text: "c" })]) {
      expect(await rejectionCode(call)).toBe("engine/restarted");
    }
  });
});

describe("a thread that is called", () => {
  it("is ended while work goes on, and started again whatever came of it", async () => {
    const { rpc, threads, last, open } = rpcOf();
    await open();
    const lost = rejectionCode(rpc.call({ text: "a" }));
    const work = rpc.whileClosed(async () => {
      expect([rpc.isOpen, last().requests.at(-1)]).toEqual([false, { stop: true }]);
      throw crash;
    });
    expect([await rejectionCode(work), await lost]).toEqual([crash.code, "engine/restarted"]);
    expect(threads).toHaveLength(2);
    const next = rpc.call({ text: "b" });
    await open();
    last().report({ kind: "answer", id: 2, length: 1 });
    expect(await next).toMatchObject({ length: 1 });
  });

  it("is not started again behind work when none ran before, nor when it was stopped", async () => {
    const { rpc, threads } = rpcOf({ mayGoOn: () => false });
    await rpc.whileClosed(() => rpc.stop());
    expect(threads).toHaveLength(1);
    const failed = rpcOf({ mayGoOn: () => false });
    failed.last().exit(crash);
    await failed.rpc.whileClosed(() => Promise.resolve());
    expect(failed.threads).toHaveLength(1);
  });

  it("takes all that waits with it when it is stopped, twice without harm", async () => {
    const { rpc, last } = rpcOf();
    const waiting = rpc.call({ text: "a" });
    await rpc.stop();
    await rpc.stop();
    expect(await rejectionCode(waiting)).toBe("node/stopping");
    expect(await rejectionCode(rpc.call({ text: "b" }))).toBe("node/stopping");
    expect(() => rpc.throwIfOver()).toThrow("node/stopping");
    expect(last().requests).toEqual([{ stop: true }]);
  });
});
