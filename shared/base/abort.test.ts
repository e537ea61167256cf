import { describe, expect, it } from "vitest";
import { abortable, throwIfAborted, untilAborted } from "./abort.ts";

const aborted = expect.objectContaining({ code: "run/aborted" });

describe("abort", () => {
  it("ends waiting at once when the caller cancels", async () => {
    const controller = new AbortController();
    const waiting = abortable(new Promise<never>(() => {}), controller.signal);
    const end = untilAborted(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow(aborted);
    await end;
    await expect(abortable(Promise.resolve(1), controller.signal)).rejects.toThrow(aborted);
    await untilAborted(controller.signal);
    expect(() => throwIfAborted(controller.signal)).toThrow(aborted);
  });

  it("passes results and failures through", async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(5), signal)).toBe(5);
    await expect(abortable(Promise.reject(new Error("x")), signal)).rejects.toThrow("x");
    throwIfAborted(signal);
  });
});
