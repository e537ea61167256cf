/**
 * Downloads the bodies of known headers from several peers in parallel, and inserts them in the order of the graph
 * (specification network 1.8 G, 10.25).
 *
 * Each peer has one batch at a time. A peer that stalls or sends what was not asked for loses its link, and its batch goes
 * to another one. When the last peer is gone the fetching ends; what went in stays.
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { headerForms, rawBlockWith } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { InsertOutcome } from "../../engine/calls/engineFacts.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import type { Peer } from "../peers/peer.ts";
import { hashesIn, hashList } from "./hashList.ts";
import { ThroughputTimeout, type MinThroughput } from "./throughputTimeout.ts";
import { BodyWindow, type Batch } from "./bodyWindow.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** A peer to download from, and the highest block of its chain that is known here: it has all bodies of that block's past. */
export type BodySource = { readonly peer: Peer; readonly known: BlockHash };

/** Dependencies of the download. */
export type BodyParts = {
  readonly reader: Pick<ReaderHost, "ask">;
  /** Whom to ask; looked at again while it goes on. */
  readonly sources: () => readonly BodySource[];
  /** Hands a RawBlock to the engine. */
  readonly insert: (raw: Uint8Array) => Promise<InsertOutcome>;
  /** Hears how many bodies went in. */
  readonly onProgress: (count: number) => void;
  readonly steadyMs: () => bigint;
  readonly signal: AbortSignal;
};

/** In bytes: all other batches wait for the lowest. */
const BATCH_PACE: MinThroughput = {
  baseMs: P2P_LIMITS.syncBatchMs,
  perSecond: P2P_LIMITS.syncSlowBytes,
};

/**
 * Downloads the bodies that `high`'s past lacks, and its own. Rejects with `run/aborted`, and `sync/no-source` when no peer is
 * left that gives them or one of them sent what was refused; that one has lost its link then, the others did no wrong.
 */
export async function fetchBodies(parts: BodyParts, high: BlockHash): Promise<void> {
  throwIfAborted(parts.signal);
  const stop = new AbortController();
  const run = new BodyRun({ ...parts, signal: stop.signal }, high);
  const onAbort = (): void => {
    stop.abort();
    run.wake();
  };
  parts.signal.addEventListener("abort", onAbort, { once: true });
  try {
    await run.run();
  } finally {
    stop.abort();
    parts.signal.removeEventListener("abort", onAbort);
    await run.ended();
  }
}

/** One fetching. */
class BodyRun {
  readonly #parts: BodyParts;
  readonly #high: BlockHash;
  readonly #window = new BodyWindow<Peer>();
  /** Peers that are being asked, and when they have answered or failed. */
  readonly #asking = new Map<Peer, Promise<void>>();
  /** Peers that have nothing from here on upwards. */
  readonly #exhausted = new Set<Peer>();
  readonly #inserting = new Set<Promise<void>>();
  /** Bytes of the bodies of batches that are not whole, and of those that are handed in. */
  #bytes = 0;
  #cursor: BlockHash | "" = "";
  #isPlanned = false;
  #failure: SvcError | null = null;
  #news: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(parts: BodyParts, high: BlockHash) {
    this.#parts = parts;
    this.#high = high;
  }

  async run(): Promise<void> {
    for (;;) {
      throwIfAborted(this.#parts.signal);
      await this.#plan();
      if (this.#failure !== null) throw this.#failure;
      // Made before anything is looked at, so that nothing that happens from here on is missed.
      this.#news = Promise.withResolvers();
      this.#employ();
      const isFull = this.#inserting.size >= P2P_LIMITS.syncBlocksInserting;
      const batch = isFull ? undefined : this.#window.shift();
      if (batch !== undefined) {
        this.#insert(batch);
        continue;
      }
      if (this.#asking.size + this.#inserting.size === 0) {
        if (this.#window.size === 0) return;
        throw new SvcError("sync/no-source", {});
      }
      await this.#news.promise;
    }
  }

  /** Something has changed. */
  wake(): void {
    this.#news.resolve();
  }

  /** Settles when nobody is asked any more and all that was handed in is answered. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#asking.values(), ...this.#inserting]);
  }

  /** Fills the window with what is missing. */
  async #plan(): Promise<void> {
    const { reader, signal } = this.#parts;
    while (!this.#isPlanned && this.#window.size < P2P_LIMITS.syncBatches) {
      const bytes = await reader.ask(
        "bodiesMissing",
        [this.#cursor, this.#high, P2P_LIMITS.syncPlanBlocks],
        signal,
      );
      const [cursor, ...missing] = hashesIn(bytes);
      const last = this.#cursor;
      this.#cursor = cursor ?? this.#high;
      this.#isPlanned = this.#cursor === this.#high || this.#cursor === last;
      for (let from = 0; from < missing.length; from += P2P_LIMITS.syncBatchBlocks) {
        this.#window.add(missing.slice(from, from + P2P_LIMITS.syncBatchBlocks), this.#cursor);
      }
    }
  }

  /** Gives every peer that has nothing to do a batch. */
  #employ(): void {
    for (const source of this.#parts.sources()) {
      const { peer } = source;
      const isBusy = this.#asking.has(peer) || this.#exhausted.has(peer);
      if (isBusy || peer.link.signal.aborted) continue;
      // All that is here waits for the lowest batch, so that one is asked for however much is here.
      const isFull = this.#window.bytes + this.#bytes >= P2P_LIMITS.syncBodyBytes;
      const batch = isFull ? this.#window.takeLowest(peer) : this.#window.take(peer);
      if (batch === undefined) return;
      const asked = this.#ask(source, batch)
        .catch((error: unknown) => this.#lose(peer, batch, SvcError.from(error)))
        .finally(() => {
          this.#asking.delete(peer);
          this.wake();
        });
      this.#asking.set(peer, asked);
    }
  }

  async #ask({ peer, known }: BodySource, batch: Batch<Peer>): Promise<void> {
    const { reader, steadyMs, signal } = this.#parts;
    // Batches go upwards: whoever lacks this one lacks those above it too.
    if ((await askFacts(reader, "ancestry", [batch.below, known], signal)) === "none") {
      this.#exhausted.add(peer);
      this.#window.giveBack(batch);
      return;
    }
    const hashes = batch.hashes.map((hash) => ({ bytes: decodeHex(hash) }));
    const answers = peer.link.converse(
      { $case: "requestBlockBodies", value: { hashes } },
      ["blockBody"],
      hashes.length,
    );
    let bytes = 0;
    try {
      const blocks: Uint8Array[] = [];
      const timeout = new ThroughputTimeout(steadyMs, BATCH_PACE);
      for await (const header of this.#headersOf(batch.hashes)) {
        const { payload } = await answers.route.next(timeout.waitMs, signal);
        const raw = rawBlockWith(header, payload.value.transactions);
        bytes += raw.length;
        this.#bytes += raw.length;
        timeout.add(raw.length);
        // Nothing of it is judged before the whole batch is here.
        if (bytes > P2P_LIMITS.syncBodyBytes) throw badField("transactions", "they are too large");
        blocks.push(raw);
      }
      this.#window.fill(batch, blocks);
    } finally {
      this.#bytes -= bytes;
      answers.end();
    }
  }

  /** All of them, a page at a time. */
  async *#headersOf(hashes: readonly BlockHash[]): AsyncGenerator<Uint8Array> {
    const { reader, signal } = this.#parts;
    for (let from = 0; from < hashes.length;) {
      const page = headerForms(
        await reader.ask("headersOf", [hashList(hashes.slice(from))], signal),
      );
      from += page.length;
      yield* page;
      if (page.length === 0) throw new SvcError("internal/unexpected", { message: "no headers" });
    }
  }

  /** What goes wrong here is nobody's fault; a peer that is gone was let go for what it did. */
  #lose(peer: Peer, batch: Batch<Peer>, error: SvcError): void {
    this.#window.giveBack(batch);
    if (peer.link.signal.aborted) return;
    if (!isOfClass(error, "own")) peer.link.end(error);
    else if (!this.#parts.signal.aborted) this.#failure ??= error;
  }

  #insert(batch: Batch<Peer>): void {
    for (const raw of batch.blocks ?? []) {
      this.#bytes += raw.length;
      const inserted = this.#insertOne(batch.source, raw)
        .catch((error: unknown) => {
          this.#failure ??= SvcError.from(error);
        })
        .finally(() => {
          this.#inserting.delete(inserted);
          this.#bytes -= raw.length;
          this.wake();
        });
      this.#inserting.add(inserted);
    }
  }

  async #insertOne(source: Peer | null, raw: Uint8Array): Promise<void> {
    const outcome = await this.#parts.insert(raw);
    if (outcome.kind === "accepted") {
      this.#parts.onProgress(1);
      return;
    }
    const error =
      outcome.kind === "rejected"
        ? SvcError.fromJson(outcome)
        : new SvcError("internal/unexpected", { message: "a body came before its parents" });
    if (outcome.kind !== "rejected") throw error;
    source?.link.end(error);
    throw new SvcError("sync/no-source", {}, error);
  }
}
