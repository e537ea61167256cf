/**
 * Writes the history on from the documents of the nodes, each minute. A young minute is written at once and again when it is final;
 * only final ones move the cursor, in the batch that writes them. Whatever ends it in the middle, the next run goes on.
 */
import * as v from "valibot";
import { forEachConcurrent } from "@svc/shared/base/forEachConcurrent.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { restCall, type RestCall } from "../answers/restCall.ts";
import type { RelayedAnswer } from "../origin/relay.ts";
import type { HistoryBlock, HistoryPayment, HistoryStore } from "./historyStore.ts";

/** Dependencies. */
export type HistoryIngestParts = {
  readonly store: HistoryStore;
  /** Asks the relay of a call. Rejects with `http/unavailable`. */
  readonly relay: (call: RestCall) => Promise<RelayedAnswer>;
  /** Unix ms. */
  readonly nowMs: number;
};

type Document<R extends RestRouteName> = v.InferOutput<(typeof REST_ROUTES)[R]["answer"]>;

const MINUTE_MS = 60_000;
const GONE: ReadonlySet<number> = new Set([404, 410]);

/**
 * One run. While the index of the nodes is behind, or rebuilt, nothing is written for good: what is missing there would be missing here.
 * Rejects with `http/unavailable` where the nodes do not answer; what is written until then stays.
 */
export async function ingestHistory(parts: HistoryIngestParts): Promise<void> {
  const run = new IngestRun(parts);
  await run.writeSeen();
  try {
    if (await run.isIndexed()) await run.writeFinal();
  } finally {
    // An old minute that cannot be written keeps no new one from being found.
    await run.writeYoung();
  }
}

class IngestRun {
  readonly #parts: HistoryIngestParts;
  readonly #now: number;
  /** Unix ms from which on the index says that it has all; null where it has nothing. */
  #indexedMs: number | null = null;

  constructor(parts: HistoryIngestParts) {
    this.#parts = parts;
    this.#now = Math.floor(parts.nowMs / MINUTE_MS);
  }

  /** Reorganisations and supply, as the nodes see them now. */
  async writeSeen(): Promise<void> {
    const limit = String(PROTOCOL_LIMITS.restReorgsMax);
    const reorgs = await this.#ask("reorgs", "/info/reorgs", { limit });
    const shielded = await this.#ask("shielded", "/info/shielded");
    await this.#parts.store.writeSeen(reorgs.recent, {
      daaScore: Number(shielded.daaScore),
      block: shielded.blockHash,
      minted: shielded.turnstileIn,
      burned: shielded.turnstileOut,
      notes: shielded.noteCount,
      nullifiers: shielded.nullifierCount,
    });
  }

  /** Whether the index of the nodes has what is old enough to be written for good. */
  async isIndexed(): Promise<boolean> {
    const { isRebuilding, behind, coveredFrom } = await this.#ask("index", "/info/index");
    this.#indexedMs = coveredFrom === null ? null : Number(coveredFrom.timestamp);
    return !isRebuilding && behind <= EXPLORER_LIMITS.nodeLagScore;
  }

  /** Minutes of which nothing changes any more, from the cursor on; so many in a run. */
  async writeFinal(): Promise<void> {
    const { store } = this.#parts;
    const { historyBackMinutes, historyMinutesAtOnce, historyFinalMinutes } = EXPLORER_LIMITS;
    const cursor = (await store.cursor()) ?? this.#now - historyBackMinutes;
    const last = Math.min(cursor + historyMinutesAtOnce, this.#now - historyFinalMinutes);
    for (let minute = cursor + 1; minute <= last; minute += 1) {
      const next = await this.#writeMinute(minute, true);
      if (next > last) break;
      minute = Math.max(minute, next - 1);
    }
  }

  /** The newest whole minutes, so that they are found at once. */
  async writeYoung(): Promise<void> {
    const cursor = (await this.#parts.store.cursor()) ?? 0;
    const first = this.#now - EXPLORER_LIMITS.historyYoungMinutes;
    for (let minute = Math.max(first, cursor + 1); minute < this.#now; minute += 1) {
      await this.#writeMinute(minute, false);
    }
  }

  /** Writes one; resolves with the minute that is next, which is farther where no node has those between. */
  async #writeMinute(minute: number, isFinal: boolean): Promise<number> {
    const { store } = this.#parts;
    const window = await this.#ask("blockWindow", "/blocks/window", { minute: String(minute) });
    const covered = Number(window.coveredFrom?.timestamp ?? Number.POSITIVE_INFINITY);
    if (covered > minute * MINUTE_MS && window.blocks.length === 0) {
      return isFinal ? this.#skip(minute, covered) : minute + 1;
    }
    const blocks = window.blocks.map(historyBlock);
    if (window.minute !== minute || blocks.some((block) => minuteOf(block) !== minute)) {
      throw new SvcError("http/unavailable", { reason: "a node told of another minute" });
    }
    const payments = await this.#payments(blocks, isFinal);
    await store.writeMinute({ minute, blocks, payments, isFinal });
    return minute + 1;
  }

  /**
   * Goes on behind minutes that no node has: as far as window and index both say, and never past what is final. Where they differ, the run
   * writes no more for good: the next one asks again.
   */
  async #skip(minute: number, coveredMs: number): Promise<number> {
    const both = Math.min(coveredMs, this.#indexedMs ?? Number.POSITIVE_INFINITY);
    if (both <= minute * MINUTE_MS || !Number.isFinite(both)) return Number.POSITIVE_INFINITY;
    const next = Math.floor(both / MINUTE_MS);
    const last = Math.min(next - 1, this.#now - EXPLORER_LIMITS.historyFinalMinutes);
    await this.#parts.store.skipTo(Math.max(minute, last));
    return Math.max(minute + 1, next);
  }

  /** The payments that blocks carry, each once. What no node has any more is left out, or stays without its judgement. */
  async #payments(
    blocks: readonly HistoryBlock[],
    isFinal: boolean,
  ): Promise<readonly HistoryPayment[]> {
    const carried = new Map<string, HistoryBlock>();
    const busy = blocks.filter(({ transactions }) => transactions > 1);
    await forEachConcurrent(busy, EXPLORER_LIMITS.historyAsksAtOnce, async (block) => {
      const told = await this.#askWhatMayBeGone("block", `/blocks/${block.hash}`);
      for (const { shielded, verboseData } of told?.transactions ?? []) {
        if (shielded) carried.set(verboseData.transactionId, block);
      }
    });
    const payments: HistoryPayment[] = [];
    const all = [...carried];
    await forEachConcurrent(all, EXPLORER_LIMITS.historyAsksAtOnce, async ([id, block]) => {
      const path = `/transactions/${id}`;
      const told = isFinal ? await this.#askWhatMayBeGone("transaction", path) : null;
      payments.push({
        ...{ id, block: block.hash, daaScore: block.daaScore },
        status: told === null || told.status === "waiting" ? "included" : told.status,
        reason: told?.drop_reason ?? null,
      });
    });
    return payments.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async #ask<R extends RestRouteName>(
    name: R,
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Document<R>> {
    const document = await this.#askWhatMayBeGone(name, path, query);
    if (document === null) throw untold(name);
    return document;
  }

  /** The same; null where the node is sure that it has nothing of it. */
  async #askWhatMayBeGone<R extends RestRouteName>(
    name: R,
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Document<R> | null> {
    const call = await restCall({ method: "GET", path, search: new URLSearchParams(query) });
    const { answer, isLast } = await this.#parts.relay(call);
    // What is old is written already, or would be written as if it were new.
    if (isLast) throw untold(name);
    if (GONE.has(answer.status)) return null;
    if (answer.status !== 200) throw untold(name);
    return documentOf(name, answer.bytes);
  }
}

function untold(name: RestRouteName): SvcError {
  return new SvcError("http/unavailable", { reason: `no node tells of ${name}` });
}

/** The relay has checked its form. */
function documentOf<R extends RestRouteName>(name: R, bytes: Uint8Array): Document<R> {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const schema: v.GenericSchema<unknown, Document<R>> = REST_ROUTES[name].answer;
  return v.parse(schema, value);
}

function historyBlock(block: Document<"blockWindow">["blocks"][number]): HistoryBlock {
  return {
    hash: block.block_hash,
    daaScore: Number(block.daaScore),
    blueScore: Number(block.blueScore),
    timestampMs: Number(block.timestamp),
    color: block.color,
    isChain: block.isChainBlock,
    work: block.work,
    transactions: block.txCount,
  };
}

function minuteOf({ timestampMs }: HistoryBlock): number {
  return Math.floor(timestampMs / MINUTE_MS);
}
