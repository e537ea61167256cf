import { describe, expect, it } from "vitest";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { createLog } from "../../platform/log/log.ts";
import {
  GOOD,
  keyOf,
  opened,
  SceneDisk,
  startDaemon,
  textOf,
  tokenOf,
} from "../testkit/deviceScene.ts";
import { PrepareJobs } from "./prepareJobs.ts";

const ALICE = 1;
const TOKEN = tokenOf(ALICE);
const request = {
  fvk: keyOf(ALICE),
  to: textOf(9),
  amount: asSompi(100_000_000n),
  feeFloor: null,
  memo: "order 7",
  allowPartial: false,
};

async function setUp() {
  const disk = new SceneDisk({ [ALICE]: [300_000_000n] });
  const daemon = startDaemon(disk);
  const open = await opened(daemon, ALICE);
  const { sessions, store, sim: clock } = daemon;
  const newId = () => disk.nextId();
  const jobs = new PrepareJobs({ sessions, store, clock, log: createLog("silent"), newId });
  return { disk, daemon, open, jobs };
}

describe("a prepare job", () => {
  it("keeps the answer, whose session can be submitted", async () => {
    const { daemon, jobs } = await setUp();
    const id = await jobs.begin(TOKEN, request);
    expect(daemon.store.jobs.get(id)).toMatchObject({ kind: "prove", state: "running" });
    expect(daemon.store.jobs.get(id)?.request).not.toContain("fvk");
    await daemon.sim.run(1);
    const row = daemon.store.jobs.get(id);
    expect(row).toMatchObject({ state: "done", done: 1, total: 1, phase: "" });
    const { session, amount_sompi: amount } = JSON.parse(row?.answer ?? "");
    expect(amount).toBe("100000000");
    const sigs = [{ index: 0, sig: GOOD }];
    const { signal } = new AbortController();
    const paid = await daemon.sessions.submit(TOKEN, { session, sigs, key: null }, signal);
    expect(paid.amount).toBe(100_000_000n);
  });

  it("is refused at once where the request is wrong, and leaves no job", async () => {
    const { daemon, jobs } = await setUp();
    const wrong = jobs.begin(TOKEN, { ...request, to: "nobody" });
    expect(await rejectionCode(wrong)).toBe("address/missing-prefix");
    expect([...daemon.store.jobs.ofWallet(TOKEN)]).toEqual([]);
  });

  it("tells why it failed", async () => {
    const { daemon, jobs } = await setUp();
    daemon.prover.gate = () => Promise.reject(new SvcError("prove/failed", { reason: "a test" }));
    const id = await jobs.begin(TOKEN, request);
    await daemon.sim.run(1);
    const failed = { state: "failed", answer: null, error: { code: "prove/failed" } };
    expect(daemon.store.jobs.get(id)).toMatchObject(failed);
  });

  it("is cancelled by its own wallet alone, and by a stop, and frees its notes", async () => {
    const { daemon, jobs, open } = await setUp();
    daemon.prover.gate = async (signal) => {
      await untilAborted(signal);
      throw new SvcError("run/aborted", {});
    };
    const id = await jobs.begin(TOKEN, request);
    await daemon.sim.run(1);
    expect(open.state.outbox).toHaveLength(1);
    expect(await jobs.cancel(tokenOf(2), id)).toBe(false);
    expect(await jobs.cancel(TOKEN, id)).toBe(true);
    expect(await jobs.cancel(TOKEN, id)).toBe(false);
    expect(daemon.store.jobs.get(id)?.state).toBe("cancelled");
    const next = await jobs.begin(TOKEN, request);
    await jobs.stop();
    expect(daemon.store.jobs.get(next)?.state).toBe("cancelled");
    expect(open.state.outbox).toEqual([]);
  });

  it("has failed when the program was killed meanwhile", async () => {
    const { disk, daemon, jobs } = await setUp();
    daemon.prover.gate = () => new Promise(() => undefined);
    const id = await jobs.begin(TOKEN, request);
    await daemon.sim.run(1);
    await daemon.lanes.stop();
    const { sessions, store, sim: clock } = startDaemon(disk);
    const newId = () => disk.nextId();
    const again = new PrepareJobs({ sessions, store, clock, log: createLog("silent"), newId });
    again.failInterrupted();
    const failed = { state: "failed", error: { code: "wallet/no-session" } };
    expect(store.jobs.get(id)).toMatchObject(failed);
  });
});
