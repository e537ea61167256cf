/**
 * Answers to submit that get lost: the device asks for them again with the same session, and where none comes it says that the payment
 * may have been sent. No session is sent twice, and none is called unsent that a daemon took.
 */
import { describe, expect, it } from "vitest";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { daemonRefusal } from "@svc/shared/signer/daemonRefusal.ts";
import { isOutcomeUnknown } from "@svc/shared/signer/outcomeUnknown.ts";
import { isPartlyPaid } from "@svc/shared/signer/partlyPaid.ts";
import type { PayRequest } from "@svc/shared/signer/payOnDevice.ts";
import { SIGNER_LIMITS } from "@svc/shared/signer/signerLimits.ts";
import { DaemonModel, TXID } from "./daemonModel.ts";
import { payScene } from "./payScene.ts";
import { HONEST, preparedOf } from "./signerCases.ts";

const { signer, request, answered, changed, silentPart } = payScene();
const { signal } = new AbortController();
const { session } = preparedOf(HONEST);
const TRIES = SIGNER_LIMITS.submitTriesMax;
const broken = () => new TypeError("fetch failed");
const refused = (code: string, status = 404) =>
  daemonRefusal(status, JSON.stringify({ error: "no", code }));

const pay = (daemon: DaemonModel, asked: PayRequest = request, until = signal) =>
  signer.pay(daemon, asked, () => undefined, until);
const errorOf = (paid: Promise<unknown>) =>
  paid.then(
    () => null,
    (thrown: unknown) => thrown,
  );

/** A model whose first so many answers to submit are lost. */
function losing(times: number, loss: () => Error | string): DaemonModel {
  const daemon = new DaemonModel([answered(HONEST)]);
  for (let call = 1; call <= times; call += 1) daemon.losses.set(call, loss());
  return daemon;
}

describe("a lost answer", () => {
  const losses: readonly (readonly [string, () => Error | string])[] = [
    ["a broken line", broken],
    ["a client that gave up", () => new DOMException("late", "TimeoutError")],
    ["a timeout", () => new SvcError("run/timeout", { what: "submit", limitMs: 60_000 })],
    ["a page of a proxy", () => daemonRefusal(502, "<html>")],
    ["a page of a proxy with success", () => "<html>"],
    ["an answer without an id", () => "{}"],
    ["a defect of the daemon", () => refused("internal/unexpected", 500)],
    ["a daemon that ends", () => refused("node/stopping", 503)],
    ["a code of a later daemon", () => daemonRefusal(503, '{"error":"x","code":"later/code"}')],
    // The signed payment is stored, and then something stands in the way.
    ["a wallet that was dropped meanwhile", () => refused("wallet/opening", 503)],
    ["a wallet that fell behind", () => refused("wallet/not-synced", 503)],
    ["a disk without room", () => refused("wallet/storage", 500)],
    ["a later refusal for now", () => daemonRefusal(409, '{"error":"x","code":"later/code"}')],
  ];

  it.each(losses)("is asked for again: %s", async (_, loss) => {
    const daemon = losing(TRIES - 1, loss);
    const { parts } = await pay(daemon);
    expect(parts.map(({ txid }) => txid)).toEqual([TXID]);
    expect(daemon.submits).toHaveLength(TRIES);
    expect([...daemon.sent]).toEqual([session]);
    // The very same call each time.
    expect(new Set(daemon.submits.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it.each(losses)("that never comes leaves the outcome open: %s", async (_, loss) => {
    const daemon = losing(TRIES, loss);
    const error = await errorOf(pay(daemon));
    if (!isOutcomeUnknown(error)) throw new Error("the outcome is not said to be open");
    const { fee } = HONEST.intent;
    expect(error.inDoubt).toEqual({ session, amount: request.amount, fee });
    expect(error.data).toMatchObject({
      session,
      amount: String(request.amount),
      fee: String(fee),
    });
    expect([daemon.prepares.length, daemon.submits.length]).toEqual([1, TRIES]);
    // The owner asks again later, and hears what became of it.
    expect(JSON.parse(await daemon.submit(error.body))).toMatchObject({ txid: TXID });
    expect([...daemon.sent]).toEqual([session]);
  });

  it("is waited for between the calls, each time twice as long", async () => {
    const daemon = losing(TRIES, broken);
    expect(await rejectionCode(pay(daemon))).toBe("signer/outcome-unknown");
    const { submitPauseMs: first } = SIGNER_LIMITS;
    expect(daemon.pauses).toEqual([first, 2 * first, 4 * first]);
    const quick = losing(0, broken);
    await pay(quick);
    expect(quick.pauses).toEqual([]);
  });

  it("is not waited for any longer by a person who cancels meanwhile", async () => {
    const cancel = new AbortController();
    const daemon = losing(TRIES, broken);
    daemon.pause = async (_, until) => {
      cancel.abort();
      throwIfAborted(until);
    };
    expect(await rejectionCode(pay(daemon, request, cancel.signal))).toBe("signer/outcome-unknown");
    expect(daemon.submits).toHaveLength(1);
  });
});

describe("a client without a timer, of a program of before", () => {
  it("is refused before anything is prepared", async () => {
    const daemon = losing(TRIES, broken);
    Reflect.deleteProperty(daemon, "pause");
    await expect(pay(daemon)).rejects.toThrow("the client of the daemon has no `pause`");
    expect([daemon.prepares, daemon.submits]).toEqual([[], []]);
  });
});

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
      const daemon = losing(1, broken);
      daemon.failures.set(2, refused(code));
      expect(await rejectionCode(pay(daemon))).toBe(code);
      expect(daemon.submits).toHaveLength(2);
    }
  });

  it("is not settled by a refusal that says nothing of the session", async () => {
    for (const code of ["wallet/locked", "wallet/no-wallet", "tx/nullifier-spent"]) {
      const daemon = losing(1, broken);
      for (let call = 2; call <= TRIES; call += 1) daemon.failures.set(call, refused(code));
      expect(await rejectionCode(pay(daemon)), code).toBe("signer/outcome-unknown");
      expect(daemon.sent.size).toBe(1);
    }
  });
});

describe("a person who cancels", () => {
  it("while the signatures are handed in is told that the outcome is open", async () => {
    const cancel = new AbortController();
    const daemon = losing(TRIES, broken);
    const { submit } = daemon;
    daemon.submit = async (body) => {
      cancel.abort();
      return submit.call(daemon, body);
    };
    const error = await errorOf(pay(daemon, request, cancel.signal));
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(daemon.submits).toHaveLength(1);
  });

  it("before the signatures are handed in hands none in", async () => {
    const cancel = new AbortController();
    const daemon = new DaemonModel([answered(HONEST)]);
    const paid = signer.pay(
      daemon,
      request,
      ({ stage }) => (stage === "broadcasting" ? cancel.abort() : undefined),
      cancel.signal,
    );
    expect(await rejectionCode(paid)).toBe("run/aborted");
    expect(daemon.submits).toEqual([]);
  });
});

describe("a payment in parts", () => {
  it("names the part in doubt beside those that went out", async () => {
    const first = changed((answer) => (answer.remaining_sompi_exact = String(request.amount)));
    const daemon = new DaemonModel([first, silentPart(0n)]);
    for (let call = 2; call <= TRIES + 1; call += 1) daemon.losses.set(call, broken());
    const asked = { ...request, amount: asSompi(2n * request.amount), allowChunking: true };
    const error = await errorOf(pay(daemon, asked));
    if (!isPartlyPaid(error)) throw new Error("the payment did not end in part");
    expect(error.data["reason"]).toBe("signer/outcome-unknown");
    expect(error.parts.map(({ amount }) => amount)).toEqual([request.amount]);
    expect(error.unknown?.inDoubt).toMatchObject({
      session: daemon.submits[1]?.session,
      amount: request.amount,
    });
    expect(daemon.sent.size).toBe(2);
  });

  it("has no part in doubt where the next one was not handed in", async () => {
    const first = changed((answer) => (answer.remaining_sompi_exact = "40"));
    const asked = { ...request, amount: asSompi(request.amount + 40n), allowChunking: true };
    const error = await errorOf(pay(new DaemonModel([first]), asked));
    if (!isPartlyPaid(error)) throw new Error("the payment did not end in part");
    expect(error.unknown).toBeNull();
  });
});
