/** Payments that a device signs, prepared as a job: begun over HTTP, asked for, signed, and over a new start. */
import { afterEach, expect, it } from "vitest";
import { asWalletToken } from "../keys/walletToken.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { prepareWork } from "../device/prepareWork.ts";
import { LastingJobs, type LastingWork } from "../spend/lastingJobs.ts";
import { NO_LOG } from "../testkit/spendScene.ts";
import {
  GOOD,
  keyOf,
  opened,
  SceneDisk,
  startDaemon,
  textOf,
  tokenOf,
} from "../testkit/deviceScene.ts";
import { WalletServerFixture } from "../testkit/walletServerFixture.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { deviceHandlers } from "./deviceHandlers.ts";

const COIN = 100_000_000n;
const ALICE = 1;
const TOKEN = asWalletToken(tokenOf(ALICE));
const options = { signal: new AbortController().signal };
const REQUEST = {
  fvk_hex: encodeHex(keyOf(ALICE)),
  to: textOf(9),
  amount_sompi: COIN,
  memo: "order 7",
};
const NO_WORK: LastingWork = {
  run: () => Promise.reject(new SvcError("wallet/cancelled", {})),
  answerOf: (_, kept) => kept,
  undo: async () => undefined,
};
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function start(disk = new SceneDisk({ [ALICE]: [3n * COIN, 4n * COIN] })) {
  const daemon = startDaemon(disk);
  const open = await opened(daemon, ALICE);
  const now = (): bigint => disk.sim.nowMs();
  const sleep: Clock["sleep"] = (ms, stop) => disk.sim.sleep(ms, stop);
  const clock: Clock = { nowMs: now, steadyMs: now, bootMs: now, sleep };
  const { store, wallets, sessions } = daemon;
  const works = { rescan: NO_WORK, prove: prepareWork(sessions) };
  const newId = () => disk.nextId();
  const jobs = new LastingJobs({ store, wallets, works, clock, log: NO_LOG, newId });
  const handlers = deviceHandlers({ sessions, jobs }, { open: (token) => wallets.open(token) });
  const fixture = await WalletServerFixture.start({ handlers });
  const client = new WalletClient({ baseUrl: fixture.server.address, token: TOKEN });
  const end = async (): Promise<void> => {
    await fixture.stop();
    await jobs.stop();
    await sessions.stop();
    await daemon.lanes.stop();
  };
  let ended: Promise<void> | null = null;
  const stop = () => (ended ??= end());
  stops.push(stop);
  return { disk, daemon, open, jobs, client, stop };
}

/** The session of a job that is done. */
function sessionIn(body: string | null | undefined): string {
  const answer: unknown = JSON.parse(body ?? "null");
  if (typeof answer !== "object" || answer === null || !("session" in answer)) return "";
  return String(answer.session);
}

it("a payment is prepared as a job, and signed with what the job answers", async () => {
  const { daemon, jobs, client, open } = await start();
  const gate = Promise.withResolvers<void>();
  daemon.prover.gate = () => gate.promise;
  const id = await client.begin("prepare", REQUEST, options);
  await daemon.sim.run(1_000);
  expect(jobs.view(TOKEN, id)).toMatchObject({
    kind: "prove",
    state: "running",
    phase: "proving",
    body: null,
  });
  gate.resolve();
  await daemon.sim.run(1_000);
  const view = jobs.view(TOKEN, id);
  expect(view).toMatchObject({ state: "done", error: null });
  expect(JSON.parse(view?.body ?? "null")).toMatchObject({ amount_sompi: String(COIN) });
  const session = sessionIn(view?.body);
  const sent = await client.submit({ session, sigs: [{ index: "0", sig: GOOD }] }, options);
  expect(open.state.outbox).toMatchObject([{ txid: sent.txid }]);
  // The session is used up, and its answer with it.
  expect(jobs.view(TOKEN, id)).toMatchObject({ state: "done", body: null });
});

it("a job that is cancelled while it proves holds no notes", async () => {
  const { daemon, jobs, client, open } = await start();
  daemon.prover.gate = (stop) =>
    new Promise((_, reject) => {
      stop.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
    });
  const id = await client.begin("prepare", REQUEST, options);
  await daemon.sim.run(1_000);
  expect(open.state.outbox).toHaveLength(1);
  expect(await jobs.cancel(TOKEN, id)).toMatchObject({
    state: "cancelled",
    error: { code: "wallet/cancelled" },
  });
  expect(open.state.outbox).toEqual([]);
});

it("what is wrong with a request is said at once, and no job is stored", async () => {
  const { daemon, client } = await start();
  const code = (over: Partial<typeof REQUEST>) =>
    rejectionCode(client.begin("prepare", { ...REQUEST, ...over }, options));
  expect(await code({ to: "svc:x" })).toBe("address/missing-prefix");
  expect(await code({ fvk_hex: encodeHex(keyOf(2)) })).toBe("wallet/other-viewing-key");
  expect([...daemon.store.jobs.ofWallet(TOKEN)]).toEqual([]);
});

it("a job that a new start found unfinished is prepared again", async () => {
  const first = await start();
  first.daemon.prover.gate = (stop) =>
    new Promise((_, reject) => {
      stop.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
    });
  const id = await first.client.begin("prepare", REQUEST, options);
  await first.daemon.sim.run(1_000);
  await first.stop();
  first.disk.prover.gate = async () => undefined;
  const second = await start(first.disk);
  await second.jobs.resume();
  await second.daemon.sim.run(1_000);
  const session = sessionIn(second.jobs.view(TOKEN, id)?.body);
  expect(session).toMatch(/^[0-9a-f]{48}$/);
  await second.daemon.sim.run(WALLETD_LIMITS.preparedMs);
  expect(second.jobs.view(TOKEN, id)).toMatchObject({ state: "done", body: null });
  expect(second.open.state.outbox).toEqual([]);
});
