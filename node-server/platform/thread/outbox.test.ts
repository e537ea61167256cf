import { describe, expect, it } from "vitest";
import { Outbox } from "./outbox.ts";

function setUp(): { readonly outbox: Outbox<string>; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const send = (messages: readonly string[], moved: readonly ArrayBuffer[]): void => {
    sent.push([messages, moved.length]);
  };
  return { outbox: new Outbox(send, (message) => message.startsWith("!")), sent };
}

describe("messages to another thread", () => {
  it("of one turn leave together, in order", async () => {
    const { outbox, sent } = setUp();
    outbox.post("a");
    outbox.post("b");
    expect(sent).toEqual([]);
    await Promise.resolve();
    expect(sent).toEqual([[["a", "b"], 0]]);
    outbox.post("c");
    await Promise.resolve();
    expect(sent).toEqual([
      [["a", "b"], 0],
      [["c"], 0],
    ]);
  });

  it("that move buffers leave by themselves, in order, and throw where they are posted", async () => {
    const { outbox, sent } = setUp();
    outbox.post("a");
    outbox.post("b", [new ArrayBuffer(8)]);
    outbox.post("c");
    expect(sent).toEqual([
      [["a"], 0],
      [["b"], 1],
    ]);
    await Promise.resolve();
    expect(sent.at(-1)).toEqual([["c"], 0]);
    const broken = new Outbox(() => {
      throw new Error("it cannot be cloned");
    });
    expect(() => broken.post("d", [new ArrayBuffer(8)])).toThrow("it cannot be cloned");
  });

  it("that lead are never behind others in a list", async () => {
    const { outbox, sent } = setUp();
    for (const message of ["a", "!b", "c", "!d"]) outbox.post(message);
    await Promise.resolve();
    expect(sent).toEqual([
      [["a"], 0],
      [["!b", "c"], 0],
      [["!d"], 0],
    ]);
  });

  it("leave at once when told to, and only once", async () => {
    const { outbox, sent } = setUp();
    outbox.post("a");
    outbox.flush();
    await Promise.resolve();
    outbox.flush();
    expect(sent).toEqual([[["a"], 0]]);
  });
});
