/** A verifier that fails on a proof is no reason to have no verdict: the upstream one, which is in the build, gives it. */
import { expect, test } from "vitest";
import { createProofPool } from "@svc/node-server/engine/startEngine.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ScriptedThread } from "@svc/node-server/platform/testkit/scriptedThread.ts";
import type { VerifyReport, VerifyRequest } from "@svc/node-server/engine/verify/verifyMessages.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, simnet } from "./engineFixture.ts";

/** A thread that any proof ends. */
class Breaking extends ScriptedThread<VerifyRequest, VerifyReport> {
  override onMessage(listener: (report: VerifyReport) => void): void {
    super.onMessage(listener);
    queueMicrotask(() => listener({ kind: "ready" }));
  }

  override post(request: VerifyRequest): void {
    if (!("jobs" in request)) return;
    const reason = new SvcError("engine/panic", { message: "the verifier is broken" });
    queueMicrotask(() => this.exit(reason));
  }
}

test("proofs that the ordinary verifier cannot judge are judged by upstream's", async () => {
  const { raw } = readPaymentFixture().payment("plain");
  // Inside the proof: the bundle stays readable.
  const damaged = withFlippedBit(raw, Math.floor(raw.length * 0.8));
  const pool = createProofPool({
    root: null,
    profile: simnet,
    proofs: { prover: "own", threads: 1 },
    clock: systemClock,
    log: createLog("silent"),
    spawnVerifier: () => new Breaking(),
    onFatal: (error) => expect.unreachable(error.message),
  });
  pool.start();
  try {
    const job = (bytes: Uint8Array) => ({ txid: core.transactionId(bytes), format: 1, raw: bytes });
    expect(await pool.verify(job(raw), { urgent: true })).toBeNull();
    expect((await pool.verify(job(damaged), { urgent: true }))?.code).toMatch(/^(shielded|tx)\//);
  } finally {
    await pool.stop();
  }
});
