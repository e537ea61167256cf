/** Answers to submit that get lost: the device asks for them again with the same session, and no session is sent twice. */
import { describe, expect, it } from "vitest";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { PayRequest } from "@svc/shared/signer/payOnDevice.ts";
import { SIGNER_LIMITS } from "@svc/shared/signer/signerLimits.ts";
import { type DaemonModel, TXID } from "./daemonModel.ts";
import { broken, losingDaemon, LOSSES } from "./losingDaemon.ts";
import { payScene } from "./payScene.ts";
import { HONEST, preparedOf } from "./signerCases.ts";

const { signer, request, answered } = payScene();
const { signal } = new AbortController();
const { session } = preparedOf(HONEST);
const TRIES = SIGNER_LIMITS.submitTriesMax;

/** A model whose first so many answers to submit are lost. */
const losing = (times: number, loss: () => Error | string): DaemonModel =>
  losingDaemon(answered(HONEST), times, loss);
const pay = (daemon: DaemonModel, asked: PayRequest = request, until = signal) =>
  signer.pay(daemon, asked, () => undefined, until);

describe("a lost answer", () => {
  it.each(LOSSES)("is asked for again: %s", async (_, loss) => {
    const daemon = losing(TRIES - 1, loss);
    const { parts } = await pay(daemon);
    expect(parts.map(({ txid }) => txid)).toEqual([TXID]);
    expect(daemon.submits).toHaveLength(TRIES);
    expect([...daemon.sent]).toEqual([session]);
    // The very same call each time.
    expect(new Set(daemon.submits.map((body) => JSON.stringify(body))).size).toBe(1);
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
