/** The metrics of the daemon: the numbers, where they may be read, and what they never tell. */
import { describe, expect, it, onTestFinished } from "vitest";
import { asAnchor, asChainIndex, asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { walletWith } from "@svc/shared/wallet/testkit/walletWith.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import { readMetrics } from "../../platform/testkit/readMetrics.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { WalletStore } from "../store/walletStore.ts";
import {
  example,
  refusal,
  TOKEN,
  WalletServerFixture,
  WITH_TOKEN,
  type Over,
} from "../testkit/walletServerFixture.ts";
import { WalletMetrics, type MetricSources } from "./walletMetrics.ts";

const BEARER = "5f".repeat(32);
/** A plan that is looked at by nobody here. */
const PLAN = {
  profile: {},
  fvk: "",
  daaScore: "0",
  anchor: asAnchor("00".repeat(32)),
  anchorBlock: "",
  spends: [],
  outputs: [],
  fee: "0",
  recoverable: false,
};

const JOB = {
  token: "shop",
  kind: "send" as const,
  request: "",
  phase: "",
  done: 0,
  total: 0,
  createdMs: asTimestampMs(1n),
  updatedMs: asTimestampMs(1n),
  answer: null,
  error: null,
};

async function start(over: Over = {}) {
  const metrics = new WalletMetrics(new ManualClock(0n));
  const fixture = await WalletServerFixture.start({ metrics, ...over });
  onTestFinished(() => fixture.stop());
  const read = async () => {
    const answer = await fixture.ask("/metrics", {
      headers: { Authorization: `Bearer ${BEARER}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    return readMetrics(answer.body);
  };
  return { metrics, fixture, read };
}

async function sources(over: Partial<MetricSources> = {}): Promise<MetricSources> {
  const store = await WalletStore.open(null, null);
  onTestFinished(() => store.close());
  store.commit((batch) => {
    const states = ["waiting", "waiting", "running", "done", "failed"] as const;
    for (const [id, jobState] of states.entries()) {
      store.jobs.put(batch, { ...JOB, id: String(id).padStart(32, "0"), state: jobState });
    }
  });
  const state = walletWith([5n, 7n, 9n]);
  const { chainIndex } = cursorOf(state);
  const open = { wallet: { isBegun: true }, isAtTip: false, state };
  const daemon = {
    wallets: { all: [open, { ...open, isAtTip: true }], crowded: 7 },
    lanes: { main: { tip: { chainIndex: asChainIndex(chainIndex + 8n) } }, problem: null },
    tip: { chainIndex: asChainIndex(chainIndex + 10n) },
    tipAgeMs: 2_500n,
  };
  return { daemon, store, proofs: null, webhooks: null, ...over };
}

describe("the numbers", () => {
  it("of chain, wallets, jobs, proofs and webhooks are told as they are", async () => {
    const { metrics, read } = await start();
    const parts = await sources({
      proofs: { waiting: 4, proving: 2 },
      webhooks: () => ({ waiting: 6, dead: 1 }),
    });
    metrics.watch(parts);
    const told = new Map(
      (await read()).map(({ name, labels, value }) => [
        `${name} ${Object.values(labels).join()}`.trim(),
        value,
      ]),
    );
    expect(Object.fromEntries(told)).toMatchObject({
      svc_walletd_node_age_seconds: 2.5,
      svc_walletd_lane_blocks_behind: 2,
      svc_walletd_lane_faulty: 0,
      svc_walletd_wallets_open: 2,
      svc_walletd_wallets_behind: 1,
      svc_walletd_wallets_crowded_total: 7,
      svc_walletd_wallet_blocks_behind_max: 10,
      svc_walletd_notes: 6,
      svc_walletd_store_sequence: 1,
      "svc_walletd_jobs waiting": 2,
      "svc_walletd_jobs running": 1,
      "svc_walletd_proofs waiting": 4,
      "svc_walletd_proofs running": 2,
      "svc_walletd_webhooks waiting": 6,
      "svc_walletd_webhooks dead": 1,
    });
    expect(told.get("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  });

  it("that are not known are left out, and none of a single wallet is told", async () => {
    const { metrics, fixture, read } = await start();
    const { daemon, ...rest } = await sources();
    const away = { ...daemon, tip: null, tipAgeMs: null, wallets: { all: [], crowded: 0 } };
    metrics.watch({ ...rest, daemon: away });
    const names = (await read()).map(({ name }) => name);
    for (const name of ["node_age_seconds", "lane_blocks_behind", "proofs", "webhooks"]) {
      expect(names, name).not.toContain(`svc_walletd_${name}`);
    }
    await fixture.ask(...example("balance"));
    await fixture.ask(`/api/jobs/${TOKEN}`, { headers: WITH_TOKEN });
    await fixture.ask(`/${TOKEN}`, { headers: WITH_TOKEN });
    expect(JSON.stringify(await read())).not.toContain(TOKEN);
  });

  it("of proofs are counted and timed as they end", async () => {
    const clock = new ManualClock(0n);
    const metrics = new WalletMetrics(clock);
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    const proved = {
      bundle: new Uint8Array(),
      disclosure: "",
      alphas: "",
      finalize: () => Promise.resolve(new Uint8Array()),
      drop: () => undefined,
    };
    const faults = [null, new SvcError("run/aborted", {}), new SvcError("node/stopping", {})];
    const done = () => Promise.resolve();
    const prove = async () => {
      const fault = faults.shift() ?? null;
      if (fault !== null) throw fault;
      await ended;
      return proved;
    };
    const prover = metrics.countProofs({ prove, warm: done, stop: done });
    const run = () => prover.prove(PLAN, () => undefined, new AbortController().signal);
    const made = run();
    clock.advance(5_000);
    end("");
    expect(await made).toBe(proved);
    await expect(run()).rejects.toThrow("abort");
    await expect(run()).rejects.toThrow("stop");
    const told = readMetrics(metrics.text()).filter(({ name }) => name.includes("proof"));
    expect(told.map(({ labels, value }) => [Object.values(labels).join(), value])).toEqual([
      ["made", 1],
      ["cancelled", 1],
      ["failed", 1],
      ...["1", "2", "4"].map((le) => [le, 0]),
      ...["8", "15", "30", "60", "120", "300", "+Inf"].map((le) => [le, 1]),
      ["", 5],
      ["", 1],
    ]);
  });

  it("of scans are counted as they happen", async () => {
    const metrics = new WalletMetrics(new ManualClock(0n));
    const aborted = new AbortController().signal;
    const page = { firstIndex: asChainIndex(1n), count: 30, body: new Uint8Array() };
    const scan = metrics.countScans({ scan: () => Promise.resolve([]) });
    await scan.scan(page, [], aborted);
    await scan.scan({ ...page, count: 12 }, [], aborted);
    const failing = metrics.countScans({
      scan: () => Promise.reject(new SvcError("node/stopping", {})),
    });
    await expect(failing.scan(page, [], aborted)).rejects.toThrow("stop");
    const told = readMetrics(metrics.text()).map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(told)).toMatchObject({
      svc_walletd_scan_pages_total: 2,
      svc_walletd_scan_blocks_total: 42,
      svc_walletd_proof_seconds_count: 0,
    });
  });

  it("of requests are by row and status", async () => {
    const { fixture, read } = await start();
    await fixture.ask(...example("balance"));
    await fixture.ask(...example("balance"));
    await fixture.ask("/api/wallet/balance");
    await fixture.ask("/nowhere");
    await fixture.ask("/api/wallet/balance", { method: "PUT" });
    const counted = (await read()).filter(({ name }) => name.includes("http_requests"));
    expect(counted.map(({ labels, value }) => [labels["row"], labels["status"], value])).toEqual([
      ["balance", "200", 2],
      ["balance", "401", 1],
      ["other", "404", 1],
      ["other", "405", 1],
    ]);
  });
});

describe("who may read them", () => {
  it("is a program of this machine, and nobody whom a proxy speaks for", async () => {
    const { fixture, read } = await start();
    await read();
    for (const name of ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"]) {
      const answer = await fixture.ask("/metrics", { headers: { [name]: "127.0.0.1" } });
      expect(refusal(answer), name).toEqual([403, "http/forbidden"]);
    }
    expect(fixture.asked).toBe(0);
  });

  it("has the bearer where there is one", async () => {
    const { fixture, read } = await start({ bearer: BEARER });
    await read();
    expect(refusal(await fixture.ask("/metrics"))).toEqual([401, "api/bad-bearer"]);
  });

  it("is nobody where the daemon tells none", async () => {
    const { fixture } = await start({ metrics: null });
    expect(refusal(await fixture.ask("/metrics"))).toEqual([404, "http/not-found"]);
  });

  it("asks with GET", async () => {
    const { fixture } = await start();
    const answer = await fixture.ask("/metrics", { method: "POST" });
    expect(refusal(answer)).toEqual([405, "api/wrong-method"]);
  });
});
