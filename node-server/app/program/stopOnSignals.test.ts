import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { APP_LIMITS } from "../appLimits.ts";
import { STOP_SIGNALS, stopOnSignals } from "./stopOnSignals.ts";

function heard() {
  const source = new EventEmitter();
  const events: unknown[] = [];
  const time = { ms: 5_000 };
  const first = stopOnSignals(source, {
    stop: () => events.push("stop"),
    exit: (status) => events.push(status),
    steadyMs: () => time.ms,
  });
  const send = (name: string): boolean => source.emit(name, name);
  return { send, events, time, first };
}

describe("signals that end a program", () => {
  it.each(STOP_SIGNALS)("%s stops it once", (name) => {
    const { send, events, first } = heard();
    expect(first()).toBeNull();
    send(name);
    expect([events, first()]).toEqual([["stop"], name]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])("a later %s ends it at once with status %d", (name, status) => {
    const { send, events, time, first } = heard();
    send("SIGTERM");
    time.ms += APP_LIMITS.secondSignalMs + 1;
    send(name);
    expect([events, first()]).toEqual([["stop", status], "SIGTERM"]);
  });

  it("one that was passed on twice is one", () => {
    const { send, events, time } = heard();
    for (const name of ["SIGINT", "SIGINT", "SIGTERM", "SIGHUP"]) send(name);
    time.ms += APP_LIMITS.secondSignalMs;
    send("SIGINT");
    expect(events).toEqual(["stop"]);
  });
});
