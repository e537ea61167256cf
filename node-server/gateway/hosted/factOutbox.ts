/**
 * The outbox of a scanner: facts become numbered batches in the commit that remembers what they were seen in, and stay until a hosted
 * gateway has acknowledged them. So a kill loses no fact, and gives no number to two batches.
 *
 * It is bounded: while it is full, whoever asks the node for more waits (`room`).
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { asTimestampMs, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import {
  decodeFactBatch,
  encodeFactBatch,
  type AddressesFact,
  type BatchFact,
  type BatchReceipt,
} from "@svc/shared/invoice/factBatch.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import type { AcceptingBlock } from "@svc/shared/invoice/invoice.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { nodeFaultOf, type NodeFault } from "@svc/shared/light/nodeFault.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { provedUpTo, type ChainDepth } from "@svc/shared/light/workLadder.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { keepStep } from "../desk/keepStep.ts";
import { FIRST_INVOICE_INDEX } from "../keys/viewingKeyFile.ts";
import { keepReceipts, type ReceiptKeeping } from "../scan/keepReceipts.ts";
import type { ReceiptFact } from "../receipts/paidNote.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { ScanStep } from "../scan/chainScan.ts";
import { EarlierWaiting } from "../scan/earlierWaiting.ts";
import type { OutboxState, OutboxStore } from "./outboxStore.ts";

/** The hosted gateway keeps receipts; addresses below the first of invoices are their owner's own. */
const KEEPING: ReceiptKeeping = {
  wants: ({ index }) => index >= FIRST_INVOICE_INDEX,
  handsOver: true,
};

/** Dependencies. */
export type FactOutboxParts = {
  readonly store: OutboxStore;
  /** The name under which facts are told: small letters, digits and dashes. */
  readonly scanner: string;
  readonly clock: Pick<Clock, "nowMs" | "steadyMs">;
  /** What was proved before; left out where the node is believed. */
  readonly depth?: ChainDepth;
};

/** A batch that is to be told. */
export type WrittenBatch = { readonly sequence: bigint; readonly json: string };

/** Batches of one scanner. One object writes a database. */
export class FactOutbox {
  readonly #parts: FactOutboxParts;
  readonly #waiters = new Set<() => void>();
  #state: OutboxState;
  /** The last block that was scanned: what batches say of the tip. */
  #tip: AcceptingBlock | null;
  #depth: ChainDepth;
  readonly #earlier: EarlierWaiting;
  /** The tip of the last batch, and when it was written. */
  #said: { readonly hash: string; readonly atMs: bigint } | null = null;

  /**
   * Begins with the database. Under another name than before it begins anew at 1: what waits is told under the new name, then which payments
   * lost their block and which have one, as far as that is remembered, and each viewing key gets a new run of addresses. Throws the store's errors.
   */
  constructor(parts: FactOutboxParts) {
    this.#parts = parts;
    const { store, scanner } = parts;
    this.#depth = parts.depth ?? { tip: null, ladder: null };
    const block = store.view.blocks().at(-1);
    this.#tip = block === undefined ? null : acceptingOf(block);
    this.#earlier = new EarlierWaiting(() => store.waiting());
    const known = store.state();
    this.#state = known ?? begunBy(scanner, null);
    // A node that is believed without evidence has no fault.
    if (parts.depth === undefined) this.#state = { ...this.#state, fault: null };
    if (this.#state.scanner !== scanner) this.#beginAnew();
  }

  /** Number of batches that wait. */
  get waiting(): bigint {
    return this.#state.written - this.#state.told;
  }

  /** The last block that was scanned; null before the first. */
  get tip(): AcceptingBlock | null {
    return this.#tip;
  }

  /** What batches say of depths from now on. */
  moveDepth(depth: ChainDepth): void {
    this.#depth = depth;
  }

  /** Blue score up to which payments are so deep; null for none. */
  deepTo(required: bigint): bigint | null {
    const { tip, ladder } = this.#depth;
    if (ladder === null) return this.#tip === null ? null : this.#tip.blueScore - required;
    const proved = provedUpTo(ladder, required);
    if (tip === null || proved === null) return null;
    return tip - required < proved ? tip - required : proved;
  }

  /**
   * The highest batch that the gateway may have when it was just told this one: all that was ever acknowledged, and one more, whose
   * answer may have been lost before it was told again from an earlier one.
   */
  heardAtMost(sequence: bigint): bigint {
    const { highest, written } = this.#state;
    const unanswered = highest < written ? highest + 1n : highest;
    return unanswered > sequence ? unanswered : sequence;
  }

  /** The first batch that is not acknowledged; null for none. Throws the store's errors. */
  next(): WrittenBatch | null {
    const { written, told } = this.#state;
    if (told === written) return null;
    const sequence = told + 1n;
    const json = this.#parts.store.batch(sequence);
    if (json === undefined) {
      throw new SvcError("store/corrupt", { table: "batches", reason: `batch ${sequence}` });
    }
    return { sequence, json };
  }

  /** Resolves when there is something to tell. Rejects with `run/aborted`. */
  untilWaiting(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.waiting > 0n, signal);
  }

  /** Resolves when there is room for more facts. Rejects with `run/aborted`. */
  room(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.#hasRoom(), signal);
  }

  /** Resolves when there is room, and a block was scanned: without one a batch cannot say where the chain is. Rejects with `run/aborted`. */
  roomAtBlock(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.#tip !== null && this.#hasRoom(), signal);
  }

  /** Writes a step of the scan with the batches that tell of it. Throws the store's error, and then nothing has happened. */
  takeStep(step: ScanStep, recentBlocks: number): void {
    const { store } = this.#parts;
    this.#commit((batch) => {
      const facts = keepStep(store, batch, step, recentBlocks);
      for (const fact of facts) {
        store.forgetWaiting(batch, fact.input.output);
        store.received.take(batch, fact);
      }
      const block = step.blocks.at(-1) ?? store.view.blocks(batch).at(-1);
      const tip = block === undefined ? this.#tip : acceptingOf(block);
      if (tip !== null) store.orphans.take(batch, tip.blueScore, facts);
      this.#write(batch, tip, facts.map(toldOf));
      this.#writeReceipts(batch, tip, keepReceipts(store.receipts, batch, step, KEEPING));
      return tip;
    });
  }

  /** Writes what came to the pool and left it. Throws the store's error. */
  takePool(facts: readonly PaymentFact[]): void {
    const { store } = this.#parts;
    this.#earlier.hear(facts);
    this.#commit((batch) => {
      for (const { key, index, input } of facts) {
        const { kind, output } = input;
        if (kind === "waiting") store.putWaiting(batch, { key, index, output });
        else store.forgetWaiting(batch, output);
      }
      this.#write(batch, this.#tip, facts.map(toldOf));
      return this.#tip;
    });
  }

  /**
   * The pool was read since the start: what an earlier start told to wait, and is not there, is gone. It left while nobody looked. Throws the
   * store's error.
   */
  endPoolLook(): void {
    const gone = this.#earlier.gone();
    if (gone.length > 0) this.takePool(gone);
    this.#earlier.end();
  }

  /** Writes a run of addresses, behind `roomAtBlock`. Throws the store's error. */
  takeRun(run: AddressesFact): void {
    this.#commit((batch) => {
      this.#write(batch, this.#tip, [run]);
      this.#parts.store.putRun(batch, run.key, this.#state.written);
      return this.#tip;
    });
  }

  /** The scan is at the tip: it is told by a batch of its own, now and then, where nothing else waits. Throws the store's error. */
  takeTip(block: ChainBlock): void {
    this.#sayWhere(acceptingOf(block));
  }

  /**
   * Why the node is not believed, null for nothing: every batch says so from now on. One of its own tells it where nothing else waits, again
   * and again while it lasts: a node that lies brings no tip. Throws the store's error.
   */
  takeVerdict(error: ErrorJson | null): void {
    const { fault } = this.#state;
    if (error === null && fault === null) return;
    const { store, clock } = this.#parts;
    const since = fault?.sinceMs ?? asTimestampMs(clock.nowMs());
    const next = error === null ? null : nodeFaultOf(error, since);
    if (next?.code !== fault?.code) {
      this.#commit((batch) => {
        this.#state = { ...this.#state, fault: next };
        store.putState(batch, this.#state);
        return this.#tip;
      });
    }
    if (this.#tip !== null) this.#sayWhere(this.#tip);
  }

  /** Number of the batch with the last run of addresses of a viewing key; null where it was given none. */
  runOf(key: ViewingKeyId): bigint | null {
    return this.#parts.store.runOf(key);
  }

  /** All batches below this number are acknowledged, and so many more are kept. Throws the store's error. */
  acknowledge(next: bigint): void {
    const { store } = this.#parts;
    const told = next - 1n;
    const highest = told > this.#state.highest ? told : this.#state.highest;
    this.#commit((batch) => {
      this.#state = { ...this.#state, told, highest };
      store.putState(batch, this.#state);
      store.forgetBelow(batch, next - BigInt(GATEWAY_LIMITS.pushKept));
      return this.#tip;
    });
  }

  /** The gateway lacks what follows: it is told again from this batch on. False where that one is kept no more. Throws the store's error. */
  tellAgainFrom(next: bigint): boolean {
    const { store } = this.#parts;
    if (next < 1n || next > this.#state.told || store.batch(next) === undefined) return false;
    this.#commit((batch) => {
      this.#state = { ...this.#state, told: next - 1n };
      store.putState(batch, this.#state);
      return this.#tip;
    });
    return true;
  }

  /** Tells where the chain is by a batch of its own, now and then, where nothing else waits. */
  #sayWhere(tip: AcceptingBlock): void {
    if (this.waiting > 0n) return;
    const isSame = this.#said?.hash === this.#sayingOf(tip);
    const pauseMs = isSame ? GATEWAY_LIMITS.pushBeatMs : GATEWAY_LIMITS.pushTipMs;
    const isDue = this.#said === null || this.#parts.clock.steadyMs() - this.#said.atMs >= pauseMs;
    if (!isDue) return;
    this.#commit((batch) => {
      this.#writeBatch(batch, tip, []);
      return tip;
    });
  }

  #hasRoom(): boolean {
    return this.waiting < BigInt(GATEWAY_LIMITS.pushWaiting);
  }

  /** Runs a step; where the database refuses it, everything is as before. Its result is the last block. */
  #commit(step: (batch: StoreBatch) => AcceptingBlock | null): void {
    const [state, said] = [this.#state, this.#said];
    try {
      this.#tip = this.#parts.store.commit(step);
    } catch (thrown) {
      [this.#state, this.#said] = [state, said];
      throw thrown;
    }
    for (const wake of this.#waiters) wake();
  }

  /** Without a block to say where the chain is there are no facts: those of the pool wait for one. */
  #write(batch: StoreBatch, tip: AcceptingBlock | null, facts: readonly BatchFact[]): void {
    if (tip === null) return;
    const most = GATEWAY_LIMITS.pushBatchFacts;
    for (let from = 0; from < facts.length; from += most) {
      this.#writeBatch(batch, tip, facts.slice(from, from + most));
    }
  }

  /** In batches of their own, behind the facts: one with as many as may be has room for nothing else. */
  #writeReceipts(
    batch: StoreBatch,
    tip: AcceptingBlock | null,
    receipts: readonly ReceiptFact[],
  ): void {
    if (tip === null) return;
    const most = INVOICE_LIMITS.factBatchReceipts;
    for (let from = 0; from < receipts.length; from += most) {
      const some = receipts.slice(from, from + most);
      this.#writeBatch(batch, tip, [], some.map(toldReceipt));
    }
  }

  #writeBatch(
    batch: StoreBatch,
    tip: AcceptingBlock,
    facts: readonly BatchFact[],
    receipts: readonly BatchReceipt[] = [],
  ): void {
    const { store, scanner, clock } = this.#parts;
    const sequence = this.#state.written + 1n;
    const seenAtMs = asTimestampMs(clock.nowMs());
    const { ladder } = this.#depth;
    const proved = ladder === null ? {} : { proved: { tip: this.#depth.tip, ladder } };
    const { fault } = this.#state;
    const json = encodeFactBatch({
      scanner,
      sequence,
      tip,
      seenAtMs,
      facts: [...facts],
      ...proved,
      ...(fault === null ? {} : { fault }),
      ...(receipts.length > 0 && { receipts: [...receipts] }),
    });
    store.putBatch(batch, sequence, json);
    this.#state = { ...this.#state, written: sequence };
    store.putState(batch, this.#state);
    this.#said = { hash: this.#sayingOf(tip), atMs: clock.steadyMs() };
  }

  /** What a batch says of the chain: another tip, more that was proved of the same, or why nothing is. */
  #sayingOf({ hash }: Pick<AcceptingBlock, "hash">): string {
    return `${hash} ${this.#depth.tip} ${this.#state.fault?.code}`;
  }

  #beginAnew(): void {
    const { store, scanner } = this.#parts;
    const waiting: BatchFact[] = [];
    const files: ReceiptFact[] = [];
    for (let sequence = this.#state.told + 1n; sequence <= this.#state.written; sequence += 1n) {
      const { facts, receipts = [] } = decodeFactBatch(store.batch(sequence) ?? "");
      files.push(...receipts.map(readReceipt));
      waiting.push(...facts.filter(({ kind }) => kind !== "addresses"));
    }
    this.#commit((batch) => {
      store.clear(batch);
      this.#state = begunBy(scanner, this.#state.fault);
      store.putState(batch, this.#state);
      const found = [...store.found.above(null, batch)];
      const again = found.map((row): BatchFact => ({ kind: "mined", ...row }));
      const lost = [...store.orphans.all(batch)].map((row): BatchFact => {
        return { kind: "orphaned", ...row };
      });
      this.#write(batch, this.#tip, [...waiting, ...lost, ...again]);
      for (const row of store.receipts.made(batch)) {
        files.push({ ...row, bytes: store.receipts.receipt(row.cmx, row.block, batch) });
      }
      this.#writeReceipts(batch, this.#tip, files);
      return this.#tip;
    });
  }

  async #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isSo()) {
      throwIfAborted(signal);
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiters.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.#waiters.add(wake);
        signal.addEventListener("abort", wake, { once: true });
      });
    }
    throwIfAborted(signal);
  }
}

function begunBy(scanner: string, fault: NodeFault | null): OutboxState {
  return { scanner, written: 0n, told: 0n, highest: 0n, fault };
}

function acceptingOf({ hash, blueScore, daaScore, timestamp }: ChainBlock): AcceptingBlock {
  return { hash, blueScore, daaScore, timestampMs: timestamp };
}

function toldReceipt({ key, index, cmx, block, bytes }: ReceiptFact): BatchReceipt {
  return { key, index, cmx, block, receipt: bytes && encodeHex(bytes) };
}

function readReceipt({ receipt, ...place }: BatchReceipt): ReceiptFact {
  return { ...place, bytes: receipt === null ? null : decodeHex(receipt) };
}

function toldOf({ key, index, input }: PaymentFact): BatchFact {
  return { ...input, key, index };
}
