import { describe, expect, it } from "vitest";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { LineWriter } from "./lineWriter.ts";

type Reader = { takes: number; fails: string | null };

/** A writer whose reader takes so many bytes and then fails so; `text` is what it has read. */
function written() {
  const reader: Reader = { takes: Infinity, fails: null };
  const read = { text: "", calls: 0 };
  const timers: (() => void)[] = [];
  const writer = new LineWriter({
    write: (bytes) => {
      read.calls += 1;
      if (reader.fails !== null && reader.takes === 0)
        throw Object.assign(new Error(reader.fails), { code: reader.fails });
      const count = Math.min(bytes.length, reader.takes);
      reader.takes -= count;
      read.text += Buffer.from(bytes.subarray(0, count)).toString();
      return count;
    },
    lostLine: (count) => `lost ${count}\n`,
    later: (run) => timers.push(run),
  });
  const tick = (): void => timers.splice(0).forEach((run) => run());
  return { reader, read, writer, timers, tick };
}

describe("LineWriter", () => {
  it("writes a line at once", () => {
    const { read, writer } = written();
    writer.write("one\n");
    expect(read.text).toBe("one\n");
  });

  it("holds what a slow reader does not take, and loses nothing while there is room", () => {
    const { reader, read, writer, timers, tick } = written();
    Object.assign(reader, { takes: 6, fails: "EAGAIN" });
    for (const line of ["one\n", "two\n", "three\n"]) writer.write(line);
    expect([read.text, timers.length]).toEqual(["one\ntw", 1]);
    const { calls } = read;
    tick();
    expect([read.text, read.calls - calls, timers.length]).toEqual(["one\ntw", 1, 1]);
    reader.takes = Infinity;
    tick();
    expect([read.text, timers.length]).toEqual(["one\ntwo\nthree\n", 0]);
  });

  it("loses lines beyond its room and says how many", () => {
    const { reader, read, writer, tick } = written();
    Object.assign(reader, { takes: 0, fails: "EAGAIN" });
    const line = `${"x".repeat(PLATFORM_LIMITS.logWaitingBytes / 4 - 1)}\n`;
    for (let count = 0; count < 7; count += 1) writer.write(line);
    reader.takes = Infinity;
    tick();
    expect(read.text).toBe(line.repeat(4));
    writer.write("after\n");
    expect(read.text).toBe(`${line.repeat(4)}lost 3\nafter\n`);
  });

  it.each(["EPIPE", "EIO", "ENOSPC", "EBADF"])("goes on where nobody reads: %s", (code) => {
    const { reader, read, writer, timers } = written();
    Object.assign(reader, { takes: 2, fails: code });
    for (const line of ["one\n", "two\n", "three\n"]) writer.write(line);
    expect([read.text, read.calls, timers.length]).toEqual(["on", 4, 0]);
    reader.takes = Infinity;
    writer.write("four\n");
    expect(read.text).toBe("on\nlost 3\nfour\n");
  });
});
