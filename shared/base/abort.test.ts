import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { abortable, throwIfAborted, untilAborted, withAnySignal } from "./abort.ts";

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

  it("does not leave a failure that nobody hears", async () => {
    const signal = AbortSignal.abort();
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(abortable(promise, signal)).rejects.toThrow(aborted);
    const unheard = vi.fn<() => void>();
    process.on("unhandledRejection", unheard);
    reject(new Error("x"));
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unheard);
    expect(unheard).not.toHaveBeenCalled();
  });

  it("passes results and failures through", async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(5), signal)).toBe(5);
    await expect(abortable(Promise.reject(new Error("x")), signal)).rejects.toThrow("x");
    throwIfAborted(signal);
  });

  it("by the first of several signals leaves nothing on those that live on", async () => {
    const [long, short] = [new AbortController(), new AbortController()];
    const listening = (): number => getEventListeners(long.signal, "abort").length;
    const work = (signal: AbortSignal): Promise<unknown> => {
      expect(listening()).toBe(1);
      return abortable(new Promise(() => {}), signal).catch(() => signal.reason);
    };
    const why = withAnySignal([long.signal, short.signal], work);
    short.abort("short");
    expect(await why).toBe("short");
    expect(listening()).toBe(0);
    await expect(
      withAnySignal([long.signal], () => Promise.reject(new Error("x"))),
    ).rejects.toThrow("x");
    expect(listening()).toBe(0);
    const late = withAnySignal([long.signal, short.signal], (signal) =>
      Promise.resolve(signal.reason),
    );
    expect(await late).toBe("short");
  });
});
