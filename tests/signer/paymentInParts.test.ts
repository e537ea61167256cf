/** A payment that a daemon prepares in parts: where it was allowed, each part is signed, and what went out is told when one fails. */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { isPartlyPaid } from "@svc/shared/signer/partlyPaid.ts";
import type { PayStage } from "@svc/shared/signer/payOnDevice.ts";
import { DaemonModel, TXID } from "./daemonModel.ts";
import { payScene } from "./payScene.ts";
import { HONEST } from "./signerCases.ts";

const { signer, request, changed, silentPart, outcome } = payScene();
const { signal } = new AbortController();

describe("a payment in parts", () => {
  const rest = asSompi(40n);
  const asked = { amount: asSompi(request.amount + rest) };
  const part = () => changed((answer) => (answer.remaining_sompi_exact = String(rest)));

  it("is refused unless it was allowed", async () => {
    expect(await outcome(part(), asked)).toBe("signer/remaining");
  });

  it("is refused where a part pays nothing", async () => {
    const nothing = changed((answer) => {
      answer.amount_sompi_exact = "0";
      answer.remaining_sompi_exact = String(request.amount);
      answer.preparedPayment = null;
    });
    expect(await outcome(nothing, { allowChunking: true })).toBe("signer/remaining");
  });

  it("tells what went out when a later part fails", async () => {
    const daemon = new DaemonModel([part()]);
    const stages: PayStage[] = [];
    const all = { ...request, ...asked, allowChunking: true };
    const paid = signer.pay(daemon, all, (stage) => stages.push(stage), signal);
    const error = await paid.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!isPartlyPaid(error)) throw new Error("the payment did not end in part");
    expect(error.data).toEqual({
      paid: String(request.amount),
      asked: String(all.amount),
      reason: "internal/unexpected",
    });
    expect(error.parts).toEqual([{ txid: TXID, amount: request.amount, fee: HONEST.intent.fee }]);
    // The memo is that of the payment, not of each of its parts.
    expect(daemon.prepares.map(({ memo, amount_sompi }) => [memo, amount_sompi])).toEqual([
      ["order 7", String(all.amount)],
      [undefined, String(rest)],
    ]);
    expect(stages.at(-1)).toMatchObject({ stage: "proving", part: 2, parts: 2 });
  });

  it("is paid in as many transactions as it takes", async () => {
    const twice = { ...request, amount: asSompi(2n * request.amount), allowChunking: true };
    const first = changed((answer) => (answer.remaining_sompi_exact = String(request.amount)));
    const daemon = new DaemonModel([first, silentPart(0n)]);
    const { parts, fee } = await signer.pay(daemon, twice, () => undefined, signal);
    expect(parts.map(({ amount }) => amount)).toEqual([request.amount, request.amount]);
    expect(fee).toBe(2n * HONEST.intent.fee);
  });

  it("ends after so many parts", async () => {
    const amount = asSompi(24n * request.amount + 1n);
    const left = (part: number) => BigInt(23 - part) * request.amount + 1n;
    const answers = Array.from({ length: 24 }, (_, part) => silentPart(left(part)));
    const daemon = new DaemonModel(answers);
    const all = { ...request, amount, memo: "", allowChunking: true };
    const paid = signer.pay(daemon, all, () => undefined, signal);
    const error = await paid.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ data: { reason: "signer/too-many-parts" } });
    expect(daemon.submits).toHaveLength(24);
  });
});
