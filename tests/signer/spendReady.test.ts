/** A device and the status of its daemon: fields may be absent or unknown, and nothing is prepared or sent without `spend_ready`. */
import { describe, expect, it } from "vitest";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { DaemonModel } from "./daemonModel.ts";
import { payScene } from "./payScene.ts";
import { HONEST } from "./signerCases.ts";

const { signer, request, answered, changed, silentPart } = payScene();
const { signal } = new AbortController();
const { readyTriesMax: READY_TRIES, readyPauseMs: READY_PAUSE_MS } = PROTOCOL_LIMITS;
const full: Readonly<Record<string, unknown>> = WALLET_ROUTES.status.example.answer;

/** What becomes of a payment over a daemon that says this of itself, and how many calls it had. */
async function outcome(status: string): Promise<readonly [string, number, number]> {
  const daemon = new DaemonModel([answered(HONEST)]);
  daemon.status = async () => status;
  const code = await rejectionCode(signer.pay(daemon, request, () => undefined, signal));
  return [code, daemon.prepares.length, daemon.submits.length];
}

const PAID = ["none", 1, 1];
const without = (field: string) =>
  JSON.stringify(Object.fromEntries(Object.entries(full).filter(([name]) => name !== field)));
const withField = (field: string, value: unknown) => JSON.stringify({ ...full, [field]: value });

/** The same over a daemon that says these one after the other, and the last one from then on; and how often it was asked. */
async function outcomeOf(statuses: readonly object[]): Promise<readonly [string, number]> {
  const daemon = new DaemonModel([answered(HONEST)]);
  let asked = 0;
  daemon.status = async () => {
    asked += 1;
    return JSON.stringify(statuses[Math.min(asked, statuses.length) - 1]);
  };
  const code = await rejectionCode(signer.pay(daemon, request, () => undefined, signal));
  expect(daemon.pauses).toEqual(Array.from({ length: asked - 1 }, () => READY_PAUSE_MS));
  expect(daemon.prepares).toHaveLength(code === "none" ? 1 : 0);
  return [code, asked];
}

describe("a wallet that is not in memory", () => {
  const loading = { spend_ready: false, loading: true };
  const behind = { spend_ready: false, loading: false, synced: false };
  const warming = { spend_ready: false, loading: false, synced: true, warming: true };
  const stuck = { spend_ready: false, loading: false, synced: true };
  const ready = { spend_ready: true };

  it("is waited for while it is opened and catches up", async () => {
    expect(await outcomeOf([loading, loading, ready])).toEqual(["none", 3]);
    expect(await outcomeOf([loading, behind, warming, ready])).toEqual(["none", 4]);
  });

  it("is waited for no longer than some times", async () => {
    expect(await outcomeOf([loading])).toEqual(["signer/not-ready", READY_TRIES]);
    expect(await outcomeOf([loading, behind])).toEqual(["signer/not-ready", READY_TRIES]);
  });

  it("is not waited for once it is open and not ready for another reason", async () => {
    expect(await outcomeOf([loading, stuck, ready])).toEqual(["signer/not-ready", 2]);
  });

  it("is told from one that is open, which is not waited for", async () => {
    for (const status of [behind, warming, stuck]) {
      expect(await outcomeOf([status, ready])).toEqual(["signer/not-ready", 1]);
    }
  });

  it("is not waited for by a person who cancels", async () => {
    const cancel = new AbortController();
    const daemon = new DaemonModel([answered(HONEST)]);
    daemon.status = async () => JSON.stringify(loading);
    daemon.pause = async (_, until) => {
      cancel.abort();
      throwIfAborted(until);
    };
    const paid = signer.pay(daemon, request, () => undefined, cancel.signal);
    expect(await rejectionCode(paid)).toBe("run/aborted");
    expect(daemon.prepares).toEqual([]);
  });
});

describe("a daemon's status", () => {
  const others = Object.keys(full).filter((field) => field !== "spend_ready");

  it.each(others)("may lack %s", async (field) => {
    expect(await outcome(without(field))).toEqual(PAID);
  });

  it("may have fields that nobody knows, and great numbers", async () => {
    expect(await outcome(withField("later", { deep: [1] }))).toEqual(PAID);
    expect(await outcome(withField("daa_score", 2 ** 60))).toEqual(PAID);
  });

  it("sends nothing without spend_ready, whatever else it says", async () => {
    for (const text of [
      without("spend_ready"),
      withField("spend_ready", false),
      withField("spend_ready", null),
      JSON.stringify({ synced: true, spendable_sompi: "1000000000" }),
      "{}",
    ]) {
      expect(await outcome(text), text).toEqual(["signer/not-ready", 0, 0]);
    }
  });

  it("sends nothing where it is no status", async () => {
    for (const text of [withField("spend_ready", "true"), withField("spend_ready", 1), "[", "7"]) {
      expect(await outcome(text), text).toEqual(["api/bad-answer", 0, 0]);
    }
  });

  it("is looked at before each part of a payment", async () => {
    const first = changed((answer) => (answer.remaining_sompi_exact = String(request.amount)));
    const daemon = new DaemonModel([first, silentPart(0n)]);
    daemon.status = async () => JSON.stringify({ spend_ready: daemon.submits.length === 0 });
    const asked = { ...request, amount: asSompi(2n * request.amount), allowChunking: true };
    const paid = signer.pay(daemon, asked, () => undefined, signal);
    expect(await rejectionCode(paid)).toBe("signer/partly-paid");
    expect([daemon.prepares.length, daemon.submits.length]).toEqual([1, 1]);
  });
});
