import { describe, expect, it } from "vitest";
import { BoundedQueue } from "./boundedQueue.ts";

const never = new AbortController().signal;
const code = (text: string) => expect.objectContaining({ code: text });

describe("BoundedQueue", () => {
  it("gives items back in order and refuses beyond its bound", () => {
    const queue = new BoundedQueue<number>("test", 2);
    queue.push(1);
    queue.push(2);
    expect(queue.offer(3)).toBe(false);
    expect(() => queue.push(3)).toThrow(code("queue/full"));
    expect([queue.poll(), queue.poll(), queue.poll()]).toEqual([1, 2, undefined]);
  });

  it("hands items to those who wait, first come first served", async () => {
    const queue = new BoundedQueue<string>("test", 1);
    const first = queue.take(never);
    const second = queue.take(never);
    queue.push("a");
    queue.push("b");
    expect(await Promise.all([first, second])).toEqual(["a", "b"]);
    expect(queue.size).toBe(0);
  });

  it("stops waiting when the caller cancels, and loses nothing to it", async () => {
    const queue = new BoundedQueue<string>("test", 1);
    const controller = new AbortController();
    const waiting = queue.take(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow(code("run/aborted"));
    queue.push("kept");
    await expect(queue.take(controller.signal)).rejects.toThrow(code("run/aborted"));
    expect(await queue.take(never)).toBe("kept");
  });

  it("wakes everybody on close and still gives out what it holds", async () => {
    const queue = new BoundedQueue<string>("test", 2);
    const waiting = queue.take(never);
    queue.close();
    await expect(waiting).rejects.toThrow(code("queue/closed"));
    expect(() => queue.push("late")).toThrow(code("queue/closed"));

    const full = new BoundedQueue<string>("test", 2);
    full.push("held");
    full.close();
    expect(await full.take(never)).toBe("held");
    await expect(full.take(never)).rejects.toThrow(code("queue/closed"));
  });
});
