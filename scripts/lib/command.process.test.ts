import { existsSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { runCommand } from "./command.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("a program that is over its time ends with everything it started", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const script = "tail -f /dev/null & echo $!; wait";
  // Its time is over once it has said what it started.
  const show = (chunk: Uint8Array) => {
    if (chunk.includes("\n".charCodeAt(0))) vi.advanceTimersByTime(600_000);
  };
  const { status, output } = await runCommand("sh", ["-c", script], { seconds: 600, show });
  expect(status).toBe(124);
  expect(output).toMatch(/^\d+\n$/);
  // Gone, or a dead process that nobody has asked about yet.
  const child = `/proc/${Number(output)}/fd/1`;
  expect(existsSync(child)).toBe(false);
});

it("a program within its time ends as it wants to", async () => {
  const { status, output } = await runCommand("sh", ["-c", "echo good; exit 3"], { seconds: 600 });
  expect({ status, output }).toEqual({ status: 3, output: "good\n" });
});

it("a program that has said enough is ended at once", async () => {
  const script = "echo test a ... FAILED; tail -f /dev/null";
  const options = { seconds: 600, enough: /\.\.\. FAILED$/m };
  expect((await runCommand("sh", ["-c", script], options)).status).toBe(1);
});
