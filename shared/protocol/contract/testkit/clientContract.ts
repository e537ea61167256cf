/** What every typed client does with refusals, with answers that are none of its API, and with lines that fail. */
import { describe, expect, it } from "vitest";
import { rejectionCode } from "../../../base/testkit/rejectionCode.ts";
import { jsonAnswer } from "./jsonAnswer.ts";
import type { ScriptedAnswer, SentRequest } from "./scriptedFetch.ts";

/** A client under test. */
export type ClientUnderTest = {
  /** Makes one call; `answer` answers it, and `timeout` takes the place of the client's clock. */
  readonly call: (
    answer: ScriptedAnswer,
    signal: AbortSignal,
    timeout?: AbortSignal,
  ) => Promise<unknown>;
  /** The call's own answer, with a field of another type. */
  readonly mistyped: object;
  /** Where its codes stand in the registry: `gateway` for `gateway/refused`. */
  readonly codes: string;
};

const never = new AbortController().signal;

const hang = ({ init }: SentRequest): Promise<Response> =>
  new Promise((_, reject) => {
    const { signal } = init;
    if (signal?.aborted) reject(new Error("aborted"));
    signal?.addEventListener("abort", () => reject(new Error("aborted")));
  });

/** Tests a client. */
export function clientContract({ call, mistyped, codes }: ClientUnderTest): void {
  describe("an answer of anybody", () => {
    answersOfStrangers({ call, mistyped, codes });
  });

  describe("a call that is not answered", () => {
    it("ends when its caller cancels, when its time is over, and when the line fails", async () => {
      const caller = new AbortController();
      const cancelled = call(hang, caller.signal);
      caller.abort();
      expect(await rejectionCode(cancelled)).toBe("run/aborted");
      const over = new AbortController();
      const late = call(hang, never, over.signal);
      over.abort();
      expect(await rejectionCode(late)).toBe("run/timeout");
      const failing = call(() => Promise.reject(new TypeError("fetch failed")), never);
      expect(await rejectionCode(failing)).toBe(`${codes}/unreachable`);
    });
  });
}

function answersOfStrangers({ call, mistyped, codes }: ClientUnderTest): void {
  it("with a code that is not known, or none, is a refusal with its sentence", async () => {
    for (const code of [{ code: "later/thing" }, {}]) {
      const body = { error: "No such thing.", ...code };
      await expect(call(() => jsonAnswer(body, 409), never)).rejects.toMatchObject({
        code: `${codes}/refused`,
        data: { status: "409", reason: "No such thing." },
      });
    }
  });

  it.each([
    ["a proxy's page", new Response("<html>Bad gateway</html>", { status: 502 })],
    ["a page with status 200", new Response("<html>Hello</html>")],
    ["nothing", new Response(null, { status: 204 })],
    ["a list", jsonAnswer([])],
    ["another error", jsonAnswer({ message: "x" }, 500)],
    ["mistyped", jsonAnswer(mistyped)],
  ])("that is %s is an invalid response with its status", async (_, response) => {
    const error: unknown = await call(() => response, never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: `${codes}/bad-answer`,
      data: { status: String(response.status) },
    });
    expect(JSON.stringify(error)).not.toContain("html");
  });

  it("without an end is read no further than the limit", async () => {
    const chunk = new Uint8Array(1_048_576);
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(chunk),
    });
    const code = await rejectionCode(call(() => new Response(endless), never));
    expect(code).toBe("codec/count-too-large");
  });
}
