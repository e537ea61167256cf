import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { APP_LIMITS } from "../appLimits.ts";
import { endOnFault } from "./endOnFault.ts";
import { EXIT_STATUS } from "./exitStatus.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const source = new EventEmitter();
  const events: unknown[] = [];
  const watch = endOnFault(source, {
    log: { error: (fields: { code: string }) => events.push(fields.code) },
    stop: () => events.push("stop"),
    exit: (status) => events.push(status),
  });
  return { source, events, watch };
}

describe("a fault that nothing caught", () => {
  it.each(["uncaughtException", "unhandledRejection"])("is logged and stops it: %s", (event) => {
    const { source, events, watch } = watched();
    expect(watch.hasFailed).toBe(false);
    source.emit(event, new TypeError("test"));
    expect(events).toEqual(["internal/unexpected", "stop"]);
    expect(watch.hasFailed).toBe(true);
  });

  it("ends the process when the stop takes too long", () => {
    const { source, events } = watched();
    source.emit("uncaughtException", new TypeError("test"));
    vi.advanceTimersByTime(APP_LIMITS.faultStopMs);
    expect(events.at(-1)).toBe(EXIT_STATUS.fault);
  });

  it("ends the process when a second one follows", () => {
    const { source, events } = watched();
    for (const thrown of [new TypeError("first"), "second"])
      source.emit("uncaughtException", thrown);
    expect(events).toEqual([
      "internal/unexpected",
      "stop",
      "internal/unexpected",
      EXIT_STATUS.fault,
    ]);
  });
});
