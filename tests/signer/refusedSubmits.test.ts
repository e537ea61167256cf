/** Calls of submit that a daemon did not take: whether the device asks again, and which refusals settle what became of the payment. */
import { describe, expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { daemonRefusal } from "@svc/shared/signer/daemonRefusal.ts";
import { SIGNER_LIMITS } from "@svc/shared/signer/signerLimits.ts";
import { DaemonModel } from "./daemonModel.ts";
import { broken, losingDaemon, refused } from "./losingDaemon.ts";
import { payScene } from "./payScene.ts";
import { HONEST } from "./signerCases.ts";

const { signer, request, answered } = payScene();
const { signal } = new AbortController();
const TRIES = SIGNER_LIMITS.submitTriesMax;

const pay = (daemon: DaemonModel) => signer.pay(daemon, request, () => undefined, signal);

describe("a call that was not taken", () => {
  it("is repeated, and pays once", async () => {
    const daemon = new DaemonModel([answered(HONEST)]);
    daemon.failures.set(1, broken());
    daemon.failures.set(2, broken());
    await pay(daemon);
    expect([daemon.submits.length, daemon.sent.size]).toEqual([3, 1]);
  });

  it("ends the payment where the daemon refuses it, without a second call", async () => {
    for (const code of [
      "wallet/no-session",
      "wallet/wrong-signatures",
      "wallet/bad-signature",
      "wallet/key-reused",
      "wallet/payee-not-allowed",
      "wallet/day-limit",
      "wallet/approval-needed",
      "wallet/payment-rejected",
      "tx/nullifier-spent",
      "tx/anchor-too-old",
      "api/unknown-token",
      "api/bad-field",
      "http/too-many-requests",
    ]) {
      const daemon = new DaemonModel([answered(HONEST)]);
      daemon.failures.set(1, refused(code));
      expect(await rejectionCode(pay(daemon))).toBe(code);
      expect(daemon.submits).toHaveLength(1);
    }
    const daemon = new DaemonModel([answered(HONEST)]);
    daemon.failures.set(1, daemonRefusal(422, '{"error":"x","code":"later/code"}'));
    expect(await rejectionCode(pay(daemon))).toBe("api/refused");
    expect(daemon.submits).toHaveLength(1);
  });

  it("is settled by a daemon that knows no such session, since the lost call did not reach it", async () => {
    const daemon = new DaemonModel([answered(HONEST)]);
    daemon.failures.set(1, broken());
    daemon.failures.set(2, refused("wallet/no-session"));
    expect(await rejectionCode(pay(daemon))).toBe("wallet/no-session");
    expect(daemon.sent.size).toBe(0);
  });

  it("is settled by a refusal that tells what became of the payment", async () => {
    for (const code of ["wallet/payment-rejected", "wallet/key-reused"]) {
      const daemon = losingDaemon(answered(HONEST), 1, broken);
      daemon.failures.set(2, refused(code));
      expect(await rejectionCode(pay(daemon))).toBe(code);
      expect(daemon.submits).toHaveLength(2);
    }
  });

  it("is not settled by a refusal that says nothing of the session", async () => {
    for (const code of ["wallet/locked", "wallet/no-wallet", "tx/nullifier-spent"]) {
      const daemon = losingDaemon(answered(HONEST), 1, broken);
      for (let call = 2; call <= TRIES; call += 1) daemon.failures.set(call, refused(code));
      expect(await rejectionCode(pay(daemon)), code).toBe("signer/outcome-unknown");
      expect(daemon.sent.size).toBe(1);
    }
  });
});
