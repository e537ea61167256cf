import { describe, expect, it } from "vitest";
import { Outbox } from "./outbox.ts";

function setUp(): { readonly outbox: Outbox<string>; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  return { outbox: new Outbox((messages, moved) => sent.push([messages, moved.length])), sent };
}

describe("messages to another thread", () => {
  it("of one turn leave together, in order, with what is moved", async () => {
    const { outbox, sent } = setUp();
    outbox.post("a");
    outbox.post("b", [new ArrayBuffer(8)]);
    expect(sent).toEqual([]);
    await Promise.resolve();
    expect(sent).toEqual([[["a", "b"], 1]]);
    outbox.post("c");
    await Promise.resolve();
    expect(sent).toEqual([
      [["a", "b"], 1],
      [["c"], 0],
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
