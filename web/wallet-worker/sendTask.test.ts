/** Tests of the stages and results that a payment reports, and of reports that come too late. */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { SendTask } from "./sendTask.ts";
import type { WalletSession } from "./walletSession.ts";

type Send = WalletSession["send"];
type Options = Parameters<Send>[2];

/** A session whose payment goes on until the test ends it. */
function setUp() {
  const started = Promise.withResolvers<Options>();
  const send: Send = (_, __, options) => {
    started.resolve(options);
    return new Promise((_resolve, reject) => {
      options.signal.addEventListener("abort", () => reject(new SvcError("wallet/cancelled", {})));
    });
  };
  const sync = { subscribe: () => () => undefined, state: { outbox: [], orders: [] } };
  const session = { send, sync } as unknown as WalletSession;
  const task = new SendTask(() => undefined);
  const payees: Parameters<SendTask["run"]>[1] = [];
  const run = (): Promise<void> =>
    task.run(session, payees, { maxFee: asSompi(1n), separate: false });
  return { task, run, options: started.promise };
}

describe("a payment under way", () => {
  it("stays cancelled when the prover reports once more", async () => {
    const { task, run, options } = setUp();
    const ended = run();
    const { progress } = await options;
    progress("proving", 0.5);
    expect(task.view).toMatchObject({ stage: "proving", fraction: 0.5, cancellable: true });
    task.cancel();
    await expect(ended).rejects.toMatchObject({ code: "wallet/cancelled" });
    progress("proving", 0.6);
    expect(task.view).toMatchObject({ stage: "failed", error: { code: "wallet/cancelled" } });
  });

  it("is not told of the progress of the one before", async () => {
    const { task, run, options } = setUp();
    const first = run();
    const { progress } = await options;
    task.cancel();
    await expect(first).rejects.toMatchObject({ code: "wallet/cancelled" });
    const second = run();
    progress("proving", 0.9);
    expect(task.view).toMatchObject({ stage: "building", fraction: null });
    task.cancel();
    await expect(second).rejects.toMatchObject({ code: "wallet/cancelled" });
  });
});
