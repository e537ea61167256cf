import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { guarded, logFault } from "./guarded.ts";

/** An emitter with a guarded listener, and the faults it caught. */
function listening(listener: (text: string) => unknown) {
  const emitter = new EventEmitter();
  const faults: [SvcError["code"], string][] = [];
  emitter.on(
    "text",
    guarded(listener, (fault, text) => faults.push([fault.code, text])),
  );
  return { emitter, faults };
}

describe("a guarded listener", () => {
  it("hears its events, and has no fault", () => {
    const heard: string[] = [];
    const { emitter, faults } = listening((text) => heard.push(text));
    emitter.emit("text", "one");
    expect([heard, faults]).toEqual([["one"], []]);
  });

  it("hands on what it throws, with the event, and hears the next one", () => {
    const { emitter, faults } = listening((text) => {
      if (text === "bad") throw new TypeError("Invalid URL");
      if (text === "known") throw new SvcError("live/bad-frame", { reason: "test" });
    });
    for (const text of ["bad", "good", "known"]) emitter.emit("text", text);
    expect(faults).toEqual([
      ["internal/unexpected", "bad"],
      ["live/bad-frame", "known"],
    ]);
  });

  it("hands on what its promise rejects with", async () => {
    const { emitter, faults } = listening(async () => {
      throw new RangeError("later");
    });
    emitter.emit("text", "bad");
    await Promise.resolve();
    await Promise.resolve();
    expect(faults).toEqual([["internal/unexpected", "bad"]]);
  });

  it("survives a fault of whoever is told of the fault", () => {
    const emitter = new EventEmitter();
    const fail = (): never => {
      throw new Error("test");
    };
    emitter.on("text", guarded(fail, fail));
    expect(() => emitter.emit("text")).not.toThrow();
  });
});

it("logs a fault by its code, as loudly as the registry says", () => {
  const lines: [string, unknown][] = [];
  const at = (level: string) => (fields: unknown) => lines.push([level, fields]);
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const faults = [
    SvcError.from(new Error("test")),
    new SvcError("live/bad-frame", { reason: "x" }),
  ];
  for (const fault of faults) logFault(log, fault);
  expect(lines).toEqual([
    ["error", { code: "internal/unexpected", err: faults[0] }],
    ["debug", { code: "live/bad-frame", err: faults[1] }],
  ]);
});
