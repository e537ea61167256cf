/**
 * What the daemon tells of itself to a monitor: how far it is, how busy and how large. No metric has a token, an address, an amount or
 * anything else of one wallet.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { cursorOf, unspentNotes, type ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import { MetricRegistry, type Sample } from "../../platform/metrics/metricRegistry.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { ProverThread } from "../../proving/proverThread.ts";
import type { KeyScanPort } from "../../scanning/scanThreads.ts";
import type { WalletStore } from "../store/walletStore.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";

/** What the server needs of them. */
export type ServerMetrics = {
  /** All metrics as text. */
  text(): string;
  /** A request was answered; `row` is its row of the table, `other` for a request of none. */
  answered(row: string, status: number): void;
};

/** What is told of a `WalletDaemon`. */
export type WatchedDaemon = {
  readonly wallets: { readonly all: readonly WatchedWallet[]; readonly crowded: number };
  readonly lanes: {
    readonly main: { readonly tip: Pick<ChainBlock, "chainIndex"> };
    readonly problem: SvcError | null;
  };
  readonly tip: Pick<NodeTip, "chainIndex"> | null;
  readonly tipAgeMs: bigint | null;
};

type WatchedWallet = Pick<OpenWallet, "isAtTip" | "state"> & {
  readonly wallet: { readonly isBegun: boolean };
};

/** Whose numbers are told, besides those that are counted as they happen. */
export type MetricSources = {
  readonly daemon: WatchedDaemon;
  readonly store: Pick<WalletStore, "sequence" | "jobs">;
  /** The queue of proofs; null where the daemon makes none. */
  readonly proofs: { readonly waiting: number; readonly proving: number } | null;
  /** Numbers of webhooks; null where none are sent. */
  readonly webhooks: (() => { readonly waiting: number; readonly dead: number }) | null;
};

/** A prover of the proof queue. */
type QueuedProver = Pick<ProverThread, "prove" | "warm" | "stop">;

/** Upper ends of the buckets of a proof's seconds: from two actions on a fast machine to 38 notes on a slow one. */
const PROOF_SECONDS = [1, 2, 4, 8, 15, 30, 60, 120, 300];
const MS_PER_SECOND = 1_000;

/** The metrics of a daemon. */
export class WalletMetrics implements ServerMetrics {
  readonly #registry = new MetricRegistry();
  readonly #clock: Pick<Clock, "steadyMs">;
  readonly #answers = this.#registry.counter(
    "svc_walletd_http_requests_total",
    "Requests answered, by row of the API and status.",
  );
  readonly #pages = this.#registry.counter(
    "svc_walletd_scan_pages_total",
    "Pages of scan records tried with keys.",
  );
  readonly #blocks = this.#registry.counter(
    "svc_walletd_scan_blocks_total",
    "Chain blocks in these pages.",
  );
  readonly #proofs = this.#registry.counter(
    "svc_walletd_proofs_total",
    "Proofs that ended, by result.",
  );
  readonly #proofSeconds = this.#registry.histogram(
    "svc_walletd_proof_seconds",
    "Seconds that proofs took which were made.",
    PROOF_SECONDS,
  );

  constructor(clock: Pick<Clock, "steadyMs">) {
    this.#clock = clock;
    this.#registry.gauge("process_resident_memory_bytes", "Resident memory.", () =>
      process.memoryUsage.rss(),
    );
  }

  text(): string {
    return this.#registry.text();
  }

  answered(row: string, status: number): void {
    this.#answers.add({ row, status: String(status) });
  }

  /** The scanner, its pages counted. */
  countScans(scan: KeyScanPort): KeyScanPort {
    return {
      scan: async (page, sets, signal) => {
        const facts = await scan.scan(page, sets, signal);
        this.#pages.add();
        this.#blocks.add({}, page.count);
        return facts;
      },
    };
  }

  /** A prover, its proofs counted and timed. */
  countProofs(prover: QueuedProver): QueuedProver {
    return {
      warm: () => prover.warm(),
      stop: () => prover.stop(),
      prove: async (plan, progress, signal) => {
        const begunMs = this.#clock.steadyMs();
        try {
          const proved = await prover.prove(plan, progress, signal);
          this.#proofs.add({ result: "made" });
          this.#proofSeconds.observe(Number(this.#clock.steadyMs() - begunMs) / MS_PER_SECOND);
          return proved;
        } catch (error) {
          const isCancelled = SvcError.from(error).code === "run/aborted";
          this.#proofs.add({ result: isCancelled ? "cancelled" : "failed" });
          throw error;
        }
      },
    };
  }

  /** Adds the numbers that are read when somebody asks. Once for a daemon. */
  watch({ daemon, store, proofs, webhooks }: MetricSources): void {
    this.#watchChain(daemon);
    this.#watchWallets(daemon);
    const gauge = this.#registry.gauge.bind(this.#registry);
    gauge("svc_walletd_store_sequence", "Number of the last commit of the database.", () =>
      Number(store.sequence),
    );
    gauge("svc_walletd_jobs", "Jobs that go on, by state.", () =>
      (["waiting", "running"] as const).map((state) => ({
        labels: { state },
        value: store.jobs.countIn(state),
      })),
    );
    if (proofs !== null) {
      gauge("svc_walletd_proofs", "Proofs that wait for a prover, and that are made.", () => [
        { labels: { state: "waiting" }, value: proofs.waiting },
        { labels: { state: "running" }, value: proofs.proving },
      ]);
    }
    if (webhooks === null) return;
    gauge("svc_walletd_webhooks", "Webhooks that wait, and dead letters.", () =>
      Object.entries(webhooks()).map(([state, value]) => ({ labels: { state }, value })),
    );
  }

  #watchChain(daemon: WatchedDaemon): void {
    const gauge = this.#registry.gauge.bind(this.#registry);
    gauge("svc_walletd_node_age_seconds", "Seconds since the node last answered.", () =>
      ifKnown(daemon.tipAgeMs, (age) => Number(age) / MS_PER_SECOND),
    );
    gauge("svc_walletd_lane_blocks_behind", "Chain blocks that the scan at the tip lacks.", () =>
      ifKnown(daemon.tip, ({ chainIndex }) => lag(chainIndex, daemon.lanes.main.tip.chainIndex)),
    );
    gauge("svc_walletd_lane_faulty", "1 while something keeps the scan from going on.", () =>
      daemon.lanes.problem === null ? 0 : 1,
    );
  }

  #watchWallets(daemon: WatchedDaemon): void {
    const gauge = this.#registry.gauge.bind(this.#registry);
    const begun = () => daemon.wallets.all.filter(({ wallet }) => wallet.isBegun);
    gauge("svc_walletd_wallets_open", "Wallets that are open.", () => daemon.wallets.all.length);
    this.#registry.total(
      "svc_walletd_wallets_crowded_total",
      "Wallets opened at the bound of wallets in memory.",
      () => daemon.wallets.crowded,
    );
    gauge("svc_walletd_wallets_behind", "Open wallets that are not at the tip yet.", () => {
      return daemon.wallets.all.filter((open) => !open.wallet.isBegun || !open.isAtTip).length;
    });
    gauge("svc_walletd_wallet_blocks_behind_max", "Chain blocks that the last of them lacks.", () =>
      ifKnown(daemon.tip, ({ chainIndex }) =>
        Math.max(0, ...begun().map(({ state }) => lag(chainIndex, cursorOf(state).chainIndex))),
      ),
    );
    gauge("svc_walletd_notes", "Unspent notes of the open wallets.", () =>
      begun().reduce((sum, { state }) => sum + unspentNotes(state).length, 0),
    );
  }
}

/** Blocks between a block and the tip; none where the node lags behind what it said before. */
function lag(tip: bigint, at: bigint): number {
  return tip > at ? Number(tip - at) : 0;
}

/** The number that follows from what is known; no sample while it is not. */
function ifKnown<T>(known: T | null, numberOf: (known: T) => number): readonly Sample[] {
  return known === null ? [] : [{ labels: {}, value: numberOf(known) }];
}
