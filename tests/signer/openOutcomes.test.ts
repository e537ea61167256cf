/**
 * Answers to submit that never come: the device says that the payment may have been sent, or a part of it. No session is called unsent
 * that a daemon took.
 */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { isOutcomeUnknown } from "@svc/shared/signer/outcomeUnknown.ts";
import { isPartlyPaid } from "@svc/shared/signer/partlyPaid.ts";
import type { PayRequest } from "@svc/shared/signer/payOnDevice.ts";
import { SIGNER_LIMITS } from "@svc/shared/signer/signerLimits.ts";
import { DaemonModel, TXID } from "./daemonModel.ts";
import { broken, losingDaemon, LOSSES } from "./losingDaemon.ts";
import { payScene } from "./payScene.ts";
import { HONEST, preparedOf } from "./signerCases.ts";

const { signer, request, answered, changed, silentPart } = payScene();
const { signal } = new AbortController();
const { session } = preparedOf(HONEST);
const TRIES = SIGNER_LIMITS.submitTriesMax;

/** A model whose first so many answers to submit are lost. */
const losing = (times: number, loss: () => Error | string): DaemonModel =>
  losingDaemon(answered(HONEST), times, loss);
const pay = (daemon: DaemonModel, asked: PayRequest = request, until = signal) =>
  signer.pay(daemon, asked, () => undefined, until);
const errorOf = (paid: Promise<unknown>) =>
  paid.then(
    () => null,
    (thrown: unknown) => thrown,
  );

describe("a lost answer", () => {
  it.each(LOSSES)("that never comes leaves the outcome open: %s", async (_, loss) => {
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
