import { describe, expect, test } from "vitest";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { createLog } from "../../platform/log/log.ts";
import { ScriptedThread } from "../../platform/testkit/scriptedThread.ts";
import type { ProofJob } from "../calls/engineMessages.ts";
import { FallbackVerifier } from "./fallbackVerifier.ts";
import type { VerifyReport, VerifyRequest } from "./verifyMessages.ts";

type Judge = ScriptedThread<VerifyRequest, VerifyReport>;

const job = (n: number): ProofJob => ({
  txid: n.toString(16).padStart(64, "0"),
  format: 1,
  raw: new Uint8Array(),
});

function setUp() {
  const spawned: Judge[] = [];
  const verifier = new FallbackVerifier({
    spawn: () => {
      const thread: Judge = new ScriptedThread();
      spawned.push(thread);
      return thread;
    },
    log: createLog("silent"),
  });
  const asked = (): string[] =>
    spawned.flatMap(({ requests }) =>
      requests
        .flatMap((request) => ("jobs" in request ? request.jobs : []))
        .map(({ txid }) => txid),
    );
  const answer = (error: SvcError | null): void => {
    spawned.at(-1)?.report({ kind: "verdicts", id: 1, errors: [error?.toJSON() ?? null] });
  };
  return { verifier, spawned, asked, answer };
}

const codeOf = (settled: Promise<SvcError | null>): Promise<string> =>
  settled.then(
    (verdict) => verdict?.code ?? "holds",
    (error: unknown) => `fails: ${SvcError.from(error).code}`,
  );

describe("the last verifier", () => {
  test("starts with the first proof, judges one at a time, and stays", async () => {
    const { verifier, spawned, asked, answer } = setUp();
    expect(spawned).toHaveLength(0);
    const [a, b] = [codeOf(verifier.verify(job(1))), codeOf(verifier.verify(job(2)))];
    expect([spawned.length, asked()]).toEqual([1, []]);
    spawned[0]?.report({ kind: "ready" });
    expect(asked()).toEqual([job(1).txid]);
    answer(null);
    expect(await a).toBe("holds");
    answer(new SvcError("tx/invalid-proof", { reason: "no" }));
    expect(await b).toBe("tx/invalid-proof");
    const c = codeOf(verifier.verify(job(3)));
    answer(null);
    expect([await c, spawned.length]).toEqual(["holds", 1]);
  });

  test("gives up the proof that stops it too, and goes on with those behind", async () => {
    const { verifier, spawned, answer } = setUp();
    const [a, b] = [codeOf(verifier.verify(job(1))), codeOf(verifier.verify(job(2)))];
    spawned[0]?.report({ kind: "ready" });
    spawned[0]?.exit(new SvcError("engine/panic", { message: "crashed" }));
    expect(await a).toBe("fails: engine/panic");
    spawned[1]?.report({ kind: "ready" });
    answer(null);
    expect(await b).toBe("holds");
  });

  test("refuses all when it cannot even start, and starts again when asked again", async () => {
    const { verifier, spawned } = setUp();
    const all = [1, 2].map((n) => codeOf(verifier.verify(job(n))));
    spawned[0]?.report({
      kind: "failed",
      error: new SvcError("prove/assets-damaged", { reason: "gone" }).toJSON(),
    });
    spawned[0]?.exit(new SvcError("internal/unexpected", { message: "a thread ended" }));
    expect(await Promise.all(all)).toEqual(Array(2).fill("fails: prove/assets-damaged"));
    void verifier.verify(job(3)).catch(() => undefined);
    expect(spawned).toHaveLength(2);
  });

  test("takes so many and no more, and ends with those that wait", async () => {
    const { verifier } = setUp();
    const waiting = Array.from({ length: ENGINE_LIMITS.verifyLastJobs + 1 }, (_, n) =>
      codeOf(verifier.verify(job(n))),
    );
    expect(await waiting.at(-1)).toBe("fails: mempool/verification-queue-full");
    await Promise.all([verifier.stop(), verifier.stop()]);
    expect(await waiting[0]).toBe("fails: node/stopping");
    expect(await codeOf(verifier.verify(job(9)))).toBe("fails: node/stopping");
  });
});
