import { expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ScriptedThread } from "../testkit/scriptedThread.ts";
import { SupervisedThread, type FailedReport } from "./supervisedThread.ts";

type Report = { readonly kind: "said"; readonly text: string };

const crash = new SvcError("internal/unexpected", { message: "a thread ended" });
const told = new SvcError("engine/panic", { message: "a trap" });
const failed: FailedReport = { kind: "failed", error: told.toJSON() };

function supervised(hearsToTheEnd = false) {
  const threads: ScriptedThread<string, Report | FailedReport>[] = [];
  const heard: string[] = [];
  const lost: string[] = [];
  const unclean: string[] = [];
  const thread = new SupervisedThread<string, Report>({
    spawn: () => {
      const made = new ScriptedThread<string, Report | FailedReport>();
      threads.push(made);
      return made;
    },
    stop: "stop",
    onReport: ({ text }) => heard.push(text),
    onLost: ({ code }) => lost.push(code),
    onUncleanEnd: ({ code }) => unclean.push(code),
    hearsToTheEnd,
  });
  return { thread, threads, heard, lost, unclean };
}

it("passes messages on, and drops them where no thread runs", () => {
  const { thread, threads, heard } = supervised();
  thread.post("too early");
  thread.start();
  expect(thread.isRunning).toBe(true);
  thread.post("a");
  threads[0]?.report({ kind: "said", text: "b" });
  expect([threads[0]?.requests, heard]).toEqual([["a"], ["b"]]);
});

it("tells why it ended: what it said last, else how it ended", () => {
  const { thread, threads, lost } = supervised();
  thread.start();
  threads[0]?.exit(crash);
  expect([thread.isRunning, lost]).toEqual([false, [crash.code]]);
  thread.start();
  threads[1]?.report(failed);
  threads[1]?.exit(crash);
  expect(lost).toEqual([crash.code, told.code]);
});

it("takes an end for none that was asked for, and tells when it was not clean", async () => {
  const { thread, threads, lost, unclean } = supervised();
  thread.start();
  await thread.close(0);
  expect(threads[0]?.requests).toEqual(["stop"]);
  threads[0]?.report(failed);
  threads[0]?.exit(crash);
  expect([thread.isRunning, lost, unclean]).toEqual([false, [], [told.code]]);
  await thread.close(0);
});

it("hears nothing of a thread that another one has replaced, but to its end where that is wanted", async () => {
  for (const hearsToTheEnd of [false, true]) {
    const { thread, threads, heard } = supervised(hearsToTheEnd);
    thread.start();
    await thread.close(0);
    threads[0]?.report({ kind: "said", text: "late" });
    expect(heard).toEqual(hearsToTheEnd ? ["late"] : []);
  }
});

it("runs nothing where there is no thread to start", async () => {
  const unheard = () => expect.unreachable();
  const thread = new SupervisedThread<string, Report>({
    ...{ spawn: null, stop: "stop" },
    ...{ onReport: unheard, onLost: unheard },
  });
  thread.start();
  thread.post("a");
  expect(thread.isRunning).toBe(false);
  await thread.close(0);
});
