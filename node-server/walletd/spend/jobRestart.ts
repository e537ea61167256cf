/**
 * Goes on with the jobs that a former run of the program began. Each wallet is opened once for all of its jobs; those of a wallet that
 * cannot be opened now are tried again, with growing pauses.
 */
import { abortable } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ClockPort } from "@svc/shared/wallet/state/ports.ts";
import type { Log } from "../../platform/log/log.ts";
import { isWalletToken, walletLabel, type WalletToken } from "../keys/walletToken.ts";
import { hasEnded, type JobRow } from "../store/jobTable.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { OpenWallets } from "../wallets/openWallets.ts";
import { isSpendKind } from "./spendOrder.ts";
import { isAwaitingApproval } from "./tokens/approvals.ts";

/** Dependencies of the restart. */
export type JobRestartParts = {
  readonly store: Pick<WalletStore, "jobs">;
  readonly wallets: Pick<OpenWallets, "open">;
  readonly clock: Pick<ClockPort, "sleep">;
  readonly log: Pick<Log, "warn">;
  /** Runs a job of an open wallet. Throws `store/corrupt` for one whose request cannot be read. */
  readonly run: (row: JobRow, open: OpenWallet) => void;
  /** Ends a job whose wallet is gone. Throws as `run`, and other `store/…`: then it is tried again. */
  readonly lose: (row: JobRow, error: SvcError) => void;
};

/** The jobs that are to go on. */
export class JobRestart {
  readonly #parts: JobRestartParts;
  /** Ids of the jobs by their wallets. */
  readonly #left = new Map<WalletToken, readonly string[]>();
  /** Why a wallet could not be opened, as the log was told. */
  readonly #told = new Map<WalletToken, string>();
  #later: Promise<void> = Promise.resolve();

  constructor(parts: JobRestartParts) {
    this.#parts = parts;
  }

  /** Resolves when the jobs whose wallets can be opened are at work; the others are tried again until the signal. */
  async start(signal: AbortSignal): Promise<void> {
    const { store, log } = this.#parts;
    const passOver = (id: string, err: SvcError): void =>
      log.warn({ job: id, err }, "a damaged job was not resumed");
    const rows = (["running", "waiting"] as const)
      .flatMap((state) => [...store.jobs.inState(state, passOver)])
      .filter((row) => isSpendKind(row.kind) && isToRun(row))
      .toSorted((a, b) => (a.createdMs < b.createdMs ? -1 : 1));
    for (const { id, token } of rows) {
      if (isWalletToken(token)) this.#left.set(token, [...(this.#left.get(token) ?? []), id]);
    }
    await this.#tryAll(signal);
    this.#later = this.#tryLater(signal);
  }

  /** Resolves when no job is tried any more. */
  get over(): Promise<void> {
    return this.#later;
  }

  async #tryLater(signal: AbortSignal): Promise<void> {
    let pauseMs: number = WALLETD_LIMITS.spendReopenMs;
    while (this.#left.size > 0) {
      await this.#parts.clock.sleep(pauseMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#tryAll(signal);
      pauseMs = Math.min(2 * pauseMs, WALLETD_LIMITS.spendReopenLongestMs);
    }
  }

  async #tryAll(signal: AbortSignal): Promise<void> {
    const tries = [...this.#left.keys()].map((token) => this.#try(token, signal));
    await Promise.all(tries);
  }

  async #try(token: WalletToken, signal: AbortSignal): Promise<void> {
    if (this.#rowsOf(token).length === 0) {
      this.#left.delete(token);
      return;
    }
    let open: OpenWallet;
    try {
      open = await abortable(this.#parts.wallets.open(token), signal);
    } catch (thrown) {
      if (!signal.aborted) this.#failed(token, SvcError.from(thrown));
      return;
    }
    // A caller may have joined a job, and it may have ended, while the wallet was opened.
    this.#each(token, (row) => this.#parts.run(row, open));
  }

  #failed(token: WalletToken, err: SvcError): void {
    const { log, lose } = this.#parts;
    const fields = { wallet: walletLabel(token), jobs: this.#left.get(token)?.length ?? 0, err };
    if (this.#told.get(token) !== err.code) {
      log.warn(fields, "jobs that spend were not resumed, their wallet could not be opened");
    }
    this.#told.set(token, err.code);
    if (err.code === "wallet/no-wallet") this.#each(token, (row) => lose(row, err));
  }

  /** Does this with each job of a wallet. One that cannot be read keeps none of the others, and is not tried again. */
  #each(token: WalletToken, act: (row: JobRow) => void): void {
    const later: string[] = [];
    for (const row of this.#rowsOf(token)) {
      try {
        act(row);
      } catch (thrown) {
        const err = SvcError.from(thrown);
        const fields = { wallet: walletLabel(token), job: row.id, err };
        this.#parts.log.warn(fields, "a job that spends was neither resumed nor ended");
        if (err.code !== "store/corrupt") later.push(row.id);
      }
    }
    if (later.length === 0) this.#left.delete(token);
    else this.#left.set(token, later);
  }

  #rowsOf(token: WalletToken): readonly JobRow[] {
    return (this.#left.get(token) ?? [])
      .map((id) => this.#parts.store.jobs.get(id))
      .filter((row) => row !== undefined)
      .filter(isToRun);
  }
}

function isToRun(row: JobRow): boolean {
  return !hasEnded(row) && !isAwaitingApproval(row);
}
