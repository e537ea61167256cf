/**
 * The mempool: the pool of unconfirmed transactions (specification shielded 13.3, network 4.3).
 *
 * Inlet `submit`; outlet `select` for templates and `onChange` for listeners. Chain events remove what was
 * applied, what conflicts and what is too old, and bring back what a reorganisation took off the chain.
 */
import type { BlockHash, DaaScore, Nullifier, TxId } from "@svc/shared/base/brand.ts";
import { MEMPOOL_LIMITS } from "./mempoolLimits.ts";
import { infoOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TxCheck, VirtualChanged } from "../engine/calls/engineFacts.ts";
import type { EngineHost, NodeEvent } from "../engine/host/engineHost.ts";
import type { WorkRateLimiter, WorkSource } from "../engine/verify/workRateLimiter.ts";
import type { ProofVerdict } from "../engine/verify/verifyPool.ts";
import type { ProofJob } from "../engine/calls/engineMessages.ts";
import type { Log } from "../platform/log/log.ts";
import { AdmissionQuota } from "./admissionQuota.ts";
import { RecentlyApplied } from "./recentlyApplied.ts";
import {
  appliedTransactions,
  carriedTransaction,
  type AppliedTransaction,
} from "./chainTransactions.ts";
import { AdmissionDeduplicator } from "./admissionDeduplicator.ts";
import { firstCheck } from "./firstCheck.ts";
import type { PoolChange, RemovalReason } from "./poolChange.ts";
import type { MassLimits, PoolEntry } from "./poolEntry.ts";
import { PoolIndex } from "./poolIndex.ts";
import type { PoolStore, StoredTransaction } from "./poolStore.ts";
import { requireStandard } from "./requireStandard.ts";
import { restorePool } from "./restorePool.ts";
import { ReorgedTransactions } from "./reorgedTransactions.ts";
import { selectForTemplate } from "./selectForTemplate.ts";
import { askFacts } from "../engine/calls/askFacts.ts";

/** The public part of the pool; it tells when a payment comes to it or leaves it. */
export type ShownPart = {
  readonly get: (txid: TxId) => unknown;
  readonly onChange: (listener: () => void) => void;
};

/** Dependencies of the mempool. */
export type MempoolParts = {
  readonly engine: Pick<EngineHost, "ask" | "checkTransaction" | "noteVerdict" | "onEvent">;
  readonly verify: (job: ProofJob, source?: WorkSource) => Promise<ProofVerdict>;
  /** Limits what one source may have verified, in actions. */
  readonly work: Pick<WorkRateLimiter, "take" | "charge">;
  /** Id of a RawTransaction. Errors: the codec's. */
  readonly identify: (raw: Uint8Array) => TxId;
  /** Nullifiers of a payment in the form of `daaScore`, its carrying block's. Errors: the codec's, `shielded/…`. */
  readonly nullifiersOf: (raw: Uint8Array, daaScore: bigint) => readonly Nullifier[];
  readonly store: PoolStore;
  readonly log: Log;
  /** Block limits of the network. */
  readonly mass: MassLimits;
  /** Milliseconds between blocks, to turn seconds into DAA scores. */
  readonly blockTimeMs: number;
};

type Admission = {
  readonly check: TxCheck;
  readonly raw: Uint8Array;
  readonly daaScore: DaaScore;
  readonly isRestored: boolean;
};

/** Where a payment comes from: a source, this node itself, or the store. */
type Origin = {
  readonly source?: WorkSource | undefined;
  readonly stored?: StoredTransaction | undefined;
};

/** The mempool. */
export class Mempool {
  readonly #parts: MempoolParts;
  readonly #index: PoolIndex;
  readonly #applied: RecentlyApplied;
  readonly #returning: ReorgedTransactions;
  readonly #expiryDaa: bigint;
  readonly #listeners = new Set<(change: PoolChange) => void>();
  readonly #places = new AdmissionQuota();
  readonly #admissions = new AdmissionDeduplicator();
  /** What a false proof costs whoever handed it in, in actions, by the refusal. */
  readonly #costs = new WeakMap<SvcError, number>();
  /** Refused by a template on the current virtual; offered again when virtual moves. */
  readonly #held = new Set<TxId>();
  /** Null where nothing is hidden. */
  #shown: ShownPart | null = null;
  readonly #stopping = new AbortController();
  #unsubscribe: () => void = () => {};
  #restored: Promise<void> = Promise.resolve();
  #events: Promise<void> = Promise.resolve();
  #eventsWaiting = 0;
  /** All of the pool is going to be judged again; what comes until then needs no following. */
  #isAnewDue = false;
  #sequence = 0;
  #revalidatedAt = 0n;
  #revalidateFrom = 0;
  #revision = 0;

  constructor(parts: MempoolParts) {
    this.#parts = parts;
    const { mass } = parts;
    const bounds = {
      transactions: MEMPOOL_LIMITS.mempoolTransactions,
      bytes: MEMPOOL_LIMITS.mempoolBytes,
      mass,
    };
    this.#index = new PoolIndex(bounds, (txid) => this.#isHidden(txid));
    const perSecond = (seconds: number): bigint =>
      BigInt(Math.ceil((seconds * 1000) / parts.blockTimeMs));
    this.#applied = new RecentlyApplied(
      perSecond(MEMPOOL_LIMITS.appliedMemorySeconds),
      MEMPOOL_LIMITS.appliedMemory,
    );
    this.#returning = new ReorgedTransactions(
      MEMPOOL_LIMITS.mempoolRevalidateDaa,
      MEMPOOL_LIMITS.returningTransactions,
    );
    this.#expiryDaa = perSecond(MEMPOOL_LIMITS.mempoolExpirySeconds);
  }

  /** Follows the chain from now on, and begins to judge what was stored, which takes a while. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#parts.engine.onEvent((event) => this.#hear(event));
    const oldest = this.#expiredBefore(await this.#virtualDaa());
    const { store, identify, log } = this.#parts;
    const isWaiting = (txid: TxId): boolean => this.#index.get(txid) !== undefined;
    const admit = (stored: StoredTransaction): Promise<TxId> => this.#enter(stored.raw, { stored });
    const parts = { store, identify, isWaiting, admit, oldest, log };
    this.#restored = restorePool(parts, this.#stopping.signal).catch((error: unknown) => {
      log.error({ err: error }, "stored transactions could not be taken back");
    });
  }

  /** Ends following and waits for work under way. Calling it again does nothing. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    // What is left of following the chain is done at the next start, when everything is judged anyway.
    this.#stopping.abort();
    await Promise.allSettled([this.#events, this.#admissions.ended(), this.#restored]);
    this.#parts.store.flush();
  }

  /** Waiting transactions. */
  get size(): number {
    return this.#index.size;
  }

  /** Grows with every change of what the pool offers. */
  get revision(): number {
    return this.#revision;
  }

  /** Entries in order of arrival. */
  entries(): PoolEntry[] {
    return [...this.#index.entries()];
  }

  /** The entry with this id. */
  get(txid: TxId): PoolEntry | undefined {
    return this.#index.get(txid);
  }

  /** Hears every change in order; the returned call ends it. */
  onChange(listener: (change: PoolChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** From now on no template and no refusal shows what is not in `shown` (decision 22). */
  conceal(shown: ShownPart): void {
    this.#shown = shown;
    shown.onChange(() => {
      this.#revision += 1;
    });
  }

  #isHidden(txid: TxId): boolean {
    return this.#shown !== null && this.#shown.get(txid) === undefined;
  }

  /** Transactions for a template, best fee rate first, within the block's masses. None is on its stem. */
  select(): PoolEntry[] {
    const has = (txid: TxId): boolean => this.#held.has(txid) || this.#isHidden(txid);
    return selectForTemplate(this.#index.byRate(), this.#parts.mass, { has });
  }

  /** Does not offer these again until virtual moves. */
  hold(txids: Iterable<TxId>): void {
    for (const txid of txids) this.#held.add(txid);
    this.#revision += 1;
  }

  /** Resolves when every chain event so far has been worked off. */
  settled(): Promise<void> {
    return this.#events;
  }

  /** Resolves when everything that was stored at the start has been judged. */
  get restored(): Promise<void> {
    return this.#restored;
  }

  /**
   * Admits a transaction; resolves when it is in the pool and on disk. `source` is who sent it; without one it is the
   * node's own concern and not limited. A source pays one token for the checks and one for each further action before its
   * proof is judged; a false proof costs it more. What is wrong with the bytes is told to all who sent these bytes, what is
   * wrong with a source to nobody else.
   * Errors: `mempool/…`, `tx/…`, `codec/…`, `queue/too-fast`, and those of the engine and the verifier.
   */
  async submit(raw: Uint8Array, source?: WorkSource): Promise<TxId> {
    return this.#enter(raw, { source });
  }

  async #enter(raw: Uint8Array, origin: Origin): Promise<TxId> {
    const { source } = origin;
    const { work } = this.#parts;
    const leave = this.#places.take(source, raw.length);
    try {
      if (source !== undefined) work.take("proofs", source);
      return await this.#admissions.run(raw, () => this.#admit(raw, origin));
    } catch (error) {
      const cost = error instanceof SvcError ? this.#costs.get(error) : undefined;
      if (source !== undefined && cost !== undefined) work.charge("proofs", source, cost);
      throw error;
    } finally {
      leave();
    }
  }

  async #admit(raw: Uint8Array, { source, stored }: Origin): Promise<TxId> {
    // What is wrong with the bytes comes first: else the refusal of bytes that resemble a hidden payment shows it.
    const first = await this.#checkFirst(raw);
    const { txid, format } = first;
    requireStandard(first);
    this.#index.requireFree(txid, []);
    this.#index.requireNoShownConflict(first.nullifiers);
    const daaScore = stored?.addedAtDaa ?? (await this.#virtualDaa());
    if (first.verdict === "needed") await this.#judge(raw, first, source);
    // That a hidden payment spends the same note is told to nobody but who may spend it.
    this.#index.requireFree(txid, first.nullifiers);
    if (stored?.format !== format) {
      await this.#parts.store.put({ txid, format, addedAtDaa: daaScore, raw });
    }
    try {
      // The chain may have moved meanwhile. No event can come between this answer and the insertion.
      const check = await this.#check(raw);
      // The engine was restarted meanwhile and has forgotten it.
      if (check.verdict === "needed") {
        this.#parts.engine.noteVerdict({ txid, format, valid: true });
      }
      this.#insert({ check, raw, daaScore, isRestored: stored !== undefined });
    } catch (error) {
      // A stored one that cannot be judged now waits for the next start.
      if (stored === undefined) await this.#parts.store.remove(txid);
      throw error;
    }
    return txid;
  }

  /** Has the proof and the signatures judged, at the cost of the source. */
  async #judge(raw: Uint8Array, check: TxCheck, source: WorkSource | undefined): Promise<void> {
    const { engine, verify, work } = this.#parts;
    const { txid, format } = check;
    // Every action has one. The first is paid for already.
    const actions = check.nullifiers.length;
    if (source !== undefined && actions > 1) work.take("proofs", source, actions - 1, actions);
    const refusal = await verify({ txid, format, raw }, source);
    if (refusal !== null) {
      this.#costs.set(refusal, MEMPOOL_LIMITS.falseProofActions + actions);
      throw refusal;
    }
    engine.noteVerdict({ txid, format, valid: true });
  }

  #checkFirst(raw: Uint8Array): Promise<TxCheck> {
    const check = (bytes: Uint8Array): Promise<TxCheck> => this.#check(bytes);
    return firstCheck(raw, { check, identify: this.#parts.identify, applied: this.#applied });
  }

  #check(raw: Uint8Array): Promise<TxCheck> {
    return this.#parts.engine.checkTransaction(raw);
  }

  async #virtualDaa(): Promise<DaaScore> {
    return (await askFacts(this.#parts.engine, "tip", [])).daaScore;
  }

  #insert({ check, raw, daaScore, isRestored }: Admission): void {
    const { txid, format, fee, computeMass, transientMass, size, nullifiers } = check;
    const { anchorBlock, anchorBlueScore } = check;
    this.#sequence += 1;
    const entry: PoolEntry = {
      txid,
      raw,
      format,
      fee,
      computeMass,
      transientMass,
      size,
      nullifiers,
      anchorBlock,
      anchorBlueScore,
      addedAtDaa: daaScore,
      sequence: this.#sequence,
    };
    const evicted = this.#index.add(entry);
    for (const { txid: gone } of evicted) this.#forget(gone, "evicted");
    this.#changed({ type: "added", entry, isRestored });
  }

  #hear(event: NodeEvent): void {
    if (event.type !== "virtualChanged" && event.type !== "engineRestarted") return;
    this.#held.clear();
    this.#revision += 1;
    // What waits to be done will look at a state that this change is part of.
    if (this.#isAnewDue) return;
    const isAnew =
      event.type === "engineRestarted" ||
      this.#eventsWaiting >= MEMPOOL_LIMITS.mempoolEventsWaiting;
    this.#isAnewDue = isAnew;
    this.#eventsWaiting += 1;
    const work = isAnew ? () => this.#beginAnew() : () => this.#follow(event);
    this.#events = this.#events
      .then(work)
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, "the pool could not follow the chain");
      })
      .finally(() => {
        this.#eventsWaiting -= 1;
      });
  }

  async #follow(event: VirtualChanged): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { daaScore } = event;
    const applied = new Set(event.added.flatMap((block) => block.applied));
    for (const txid of applied) {
      this.#applied.add(txid, daaScore);
      this.#returning.delete(txid);
      this.#remove(txid, "applied");
    }
    if (this.#index.size > 0) await this.#dropConflicts(event);
    await this.#bringBack(event, applied);
    for (const { txid } of this.#index.addedBefore(this.#expiredBefore(daaScore))) {
      this.#remove(txid, "expired");
    }
    this.#applied.expire(daaScore);
    if (event.last && daaScore >= this.#revalidatedAt + MEMPOOL_LIMITS.mempoolRevalidateDaa) {
      this.#revalidatedAt = daaScore;
      await this.#revalidateSome();
    }
  }

  /** Does one part of following; a part that fails is logged and keeps none of the others from happening. */
  async #part(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.warn({ err: error }, "the pool could not follow a part of the chain");
    }
  }

  /** Does `work` with every transaction that a chain block applied. */
  #eachApplied(
    chainBlock: BlockHash,
    work: (applied: AppliedTransaction) => Promise<void>,
  ): Promise<void> {
    return this.#part(async () => {
      for (const applied of await appliedTransactions(this.#parts.engine, chainBlock)) {
        await this.#part(() => work(applied));
      }
    });
  }

  #expiredBefore(daaScore: DaaScore): bigint {
    return daaScore > this.#expiryDaa ? daaScore - this.#expiryDaa : 0n;
  }

  /** Waiting transactions that spend a note which a block has spent. Ours are gone already. */
  async #dropConflicts(event: VirtualChanged): Promise<void> {
    for (const block of event.added) {
      if (block.applied.length === 0) continue;
      await this.#eachApplied(block.hash, async (applied) => {
        const found = await carriedTransaction(this.#parts.engine, applied);
        if (found === undefined) return;
        for (const nullifier of this.#parts.nullifiersOf(found.raw, found.daaScore)) {
          const owner = this.#index.ownerOf(nullifier);
          if (owner !== undefined) this.#remove(owner, "conflict");
        }
      });
    }
  }

  /** Transactions of blocks that left the chain go through admission again. */
  async #bringBack(event: VirtualChanged, applied: ReadonlySet<TxId>): Promise<void> {
    const { daaScore } = event;
    for (const block of event.removed) {
      await this.#eachApplied(block, async (gone) => {
        if (applied.has(gone.txid)) return;
        this.#applied.delete(gone.txid);
        const found = await carriedTransaction(this.#parts.engine, gone);
        if (found !== undefined) this.#returning.add(gone.txid, found.raw);
      });
    }
    // In the middle of a change nothing can be judged, and most of it comes back with a later page.
    if (!event.last) return;
    for (const { txid, raw } of this.#returning.due(daaScore)) await this.#tryAgain(txid, raw);
  }

  async #tryAgain(txid: TxId, raw: Uint8Array): Promise<void> {
    try {
      await this.submit(raw);
      this.#returning.delete(txid);
    } catch (thrown) {
      const error = SvcError.from(thrown);
      // Spent: most likely by the transaction itself, in a block that the next one merges.
      if (error.code === "tx/nullifier-spent" || infoOf(error).retryable) return;
      this.#returning.delete(txid);
      this.#parts.log.info(
        { txid, code: error.code },
        "a transaction that was tried again is dropped",
      );
    }
  }

  /** Checks a part of the pool again, the next part next time: anchors age, lock times pass. */
  async #revalidateSome(): Promise<void> {
    const entries = this.entries();
    const start = this.#revalidateFrom < entries.length ? this.#revalidateFrom : 0;
    const part = entries.slice(start, start + MEMPOOL_LIMITS.mempoolRevalidateBatch);
    this.#revalidateFrom = start + part.length;
    for (const entry of part) await this.#recheck(entry, false);
  }

  /** Events are missing, and the chain may be another one: everything is judged on what is there now. */
  async #beginAnew(): Promise<void> {
    this.#isAnewDue = false;
    this.#applied.clear();
    [this.#revalidatedAt, this.#revalidateFrom] = [0n, 0];
    for (const entry of this.entries()) {
      if (this.#stopping.signal.aborted) return;
      const { txid, raw, format } = entry;
      // Verdicts went with the engine's memory. They hold on any chain, for one form of the bundle.
      this.#parts.engine.noteVerdict({ txid, format, valid: true });
      const check = await this.#recheck(entry, true);
      if (check?.verdict !== "needed") continue;
      this.#remove(txid, "invalid");
      void this.#tryAgain(txid, raw);
    }
  }

  /**
   * A spent note alone is no reason to drop: a block may carry the transaction itself and wait to be merged.
   * After a restart of the engine events are missing, so then it is. Returns null for one that is refused or could not
   * be checked.
   */
  async #recheck({ txid, raw }: PoolEntry, dropSpent: boolean): Promise<TxCheck | null> {
    try {
      return await this.#check(raw);
    } catch (thrown) {
      const { code } = SvcError.from(thrown);
      const isRefused = code.startsWith("tx/") || code.startsWith("shielded/");
      if (isRefused && (code !== "tx/nullifier-spent" || dropSpent)) this.#remove(txid, "invalid");
      return null;
    }
  }

  #remove(txid: TxId, reason: RemovalReason): void {
    if (this.#index.remove(txid) !== undefined) this.#forget(txid, reason);
  }

  #forget(txid: TxId, reason: RemovalReason): void {
    this.#parts.store.remove(txid).catch((error: unknown) => {
      this.#parts.log.error(
        { err: error, txid },
        "a transaction could not be removed from the store",
      );
    });
    this.#changed({ type: "removed", txid, reason });
  }

  #changed(change: PoolChange): void {
    // Else the part that is shown tells: a template that is made anew would show that something came.
    if (this.#shown === null) this.#revision += 1;
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#parts.log.error({ err: error }, "a listener of the pool failed");
      }
    }
  }
}
