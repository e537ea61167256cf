import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { Secret } from "@svc/shared/base/secret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { WALLETD_LIMITS } from "../../walletd/walletdLimits.ts";
import { askTwice, promptSecret } from "./promptSecret.ts";

/** A terminal that a test types at, and what it did and showed. */
function terminal() {
  const events: string[] = [];
  const source = new EventEmitter();
  const input = {
    setRawMode: (on: boolean) => events.push(on ? "raw" : "cooked"),
    resume: () => events.push("resume"),
    pause: () => events.push("pause"),
    on: (event: "data", listener: (chunk: Uint8Array) => void) => source.on(event, listener),
    off: (event: "data", listener: (chunk: Uint8Array) => void) => source.off(event, listener),
  };
  let shown = "";
  const write = (text: string): void => void (shown += text);
  const type = (text: string): Buffer => {
    const chunk = Buffer.from(text);
    source.emit("data", chunk);
    return chunk;
  };
  return { input, write, type, events, source, shown: () => shown };
}

const { signal } = new AbortController();
const textOf = (secret: Secret): string =>
  secret.reveal((bytes) => new TextDecoder().decode(bytes));

describe("a secret that is asked for", () => {
  it("is what was typed, of which nothing is shown, and the terminal is as before", async () => {
    const at = terminal();
    const answer = promptSecret(at, "Wallet secret", signal);
    const typed = at.type("geh");
    at.type("eim ü");
    at.type("\u007f\u007f!\u0001\r rest");
    expect(textOf(await answer)).toBe("geheim!");
    expect(at.shown()).toBe("Wallet secret: \n");
    expect(at.events).toEqual(["raw", "resume", "cooked", "pause"]);
    expect(at.source.listenerCount("data")).toBe(0);
    expect([...typed]).toEqual([0, 0, 0]);
  });

  it("is given up with Ctrl-C, and when the program stops", async () => {
    const at = terminal();
    const answer = promptSecret(at, "q", signal);
    at.type("abc\u0003");
    expect(await rejectionCode(answer)).toBe("run/aborted");
    const stop = new AbortController();
    const other = promptSecret(at, "q", stop.signal);
    stop.abort();
    expect(await rejectionCode(other)).toBe("run/aborted");
    expect(await rejectionCode(promptSecret(at, "q", stop.signal))).toBe("run/aborted");
    expect(at.events.at(-2)).toBe("cooked");
  });

  it("is neither empty nor endless", async () => {
    const at = terminal();
    const empty = promptSecret(at, "q", signal);
    at.type("a\b\b\n");
    expect(await rejectionCode(empty)).toBe("node/bad-option");
    const most = WALLETD_LIMITS.secretFileBytes;
    const longest = promptSecret(at, "q", signal);
    at.type(`${"a".repeat(most)}\n`);
    expect(textOf(await longest)).toHaveLength(most);
    const longer = promptSecret(at, "q", signal);
    for (let part = 0; part < 20; part += 1) at.type("a".repeat(most));
    at.type("\n");
    expect(await rejectionCode(longer)).toBe("node/bad-option");
  });

  it("that is new is typed twice", async () => {
    const at = terminal();
    const ask = (question: string): Promise<Secret> => {
      const answer = promptSecret(at, question, signal);
      at.type(question.endsWith("once more") ? "second\n" : "first\n");
      return answer;
    };
    expect(await rejectionCode(askTwice(ask, "New"))).toBe("node/bad-option");
    const same = (question: string): Promise<Secret> => {
      const answer = promptSecret(at, question, signal);
      at.type("same\n");
      return answer;
    };
    expect(textOf(await askTwice(same, "New"))).toBe("same");
  });
});
