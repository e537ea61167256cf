/** The history in D1: what it takes in, that a kill in the middle loses nothing, and what is not written. */
import { reset } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { migrate } from "../../testkit/database.ts";
import { killedDatabase } from "../../testkit/killedDatabase.ts";
import type { RestCall } from "../answers/restCall.ts";
import type { RelayedAnswer } from "../origin/relay.ts";
import { ingestHistory } from "./historyIngest.ts";
import { HistoryStore } from "./historyStore.ts";

const MINUTE_MS = 60_000;
const NOW = 30_000_000;
const BLOCKS_A_MINUTE = 6;
const MOST_RUNS = 400;

let db: D1Database;
beforeEach(async () => {
  await reset();
  db = await migrate();
});

const hashOf = (text: string, at: number): string =>
  at.toString(16).padStart(8, text).padEnd(64, "0");

/** A chain as a node tells it: six blocks a minute, a payment in each third one, of which each second one is dropped. */
class ToldChain {
  /** Colour of the red blocks; a reorganisation changes it. */
  red = 5;
  coveredMinute = 0;
  /** Chain blocks that its index lacks. */
  behind = 0;
  /** The minute from which on its windows say that the index begins; another one than its index says where it lies. */
  toldMinute: number | null = null;
  /** Rows of which it knows nothing any more, and what it answers then. */
  readonly gone = new Map<string, number>();
  readonly asked: string[] = [];

  relay = async ({ name, path }: RestCall): Promise<RelayedAnswer> => {
    this.asked.push(path);
    const document = this.#document(name, new URL(path, "http://node").searchParams, path);
    const bytes = new TextEncoder().encode(JSON.stringify(document));
    return {
      isLast: false,
      answer: {
        ...{ bytes, type: "application/json", cacheControl: "no-store", etag: "", asOfMs: 0 },
        status: this.gone.get(name) ?? 200,
      },
    };
  };

  #document(name: string, query: URLSearchParams, path: string): unknown {
    if (name === "blockWindow") return this.#window(Number(query.get("minute")));
    if (name === "block") return block(path.split("/")[2] ?? "");
    if (name === "transaction") return transaction(path.split("/")[2] ?? "");
    if (name === "index") {
      const coveredFrom = this.#coveredFrom(this.coveredMinute);
      return { ...REST_ROUTES.index.example.answer, behind: this.behind, coveredFrom };
    }
    return name === "reorgs"
      ? REST_ROUTES.reorgs.example.answer
      : REST_ROUTES.shielded.example.answer;
  }

  #window(minute: number): unknown {
    const [example] = REST_ROUTES.blockWindow.example.answer.blocks;
    const isCovered = minute >= (this.toldMinute ?? this.coveredMinute);
    const blocks = Array.from({ length: isCovered ? BLOCKS_A_MINUTE : 0 }, (_, at) => ({
      ...example,
      block_hash: hashOf("b", minute * BLOCKS_A_MINUTE + at),
      daaScore: String(minute * BLOCKS_A_MINUTE + at),
      timestamp: String(minute * MINUTE_MS + at * 1_000),
      color: at === this.red ? "red" : "blue",
      txCount: at % 3 === 0 ? 2 : 1,
    }));
    const coveredFrom = this.#coveredFrom(this.toldMinute ?? this.coveredMinute);
    return { minute, coveredFrom, isComplete: true, blocks };
  }

  #coveredFrom(minute: number): unknown {
    return { daaScore: "0", timestamp: String(minute * MINUTE_MS) };
  }
}

function block(hash: string): unknown {
  const example = REST_ROUTES.block.example.answer;
  const [coinbase] = example.transactions;
  const transactionId = `f${hash.slice(1)}`;
  const payment = {
    ...coinbase,
    ...{ shielded: true, outputs: [], verboseData: { ...coinbase.verboseData, transactionId } },
  };
  return { ...example, block_hash: hash, transactions: [coinbase, payment] };
}

function transaction(id: string): unknown {
  const example = REST_ROUTES.transaction.example.answer;
  const isDropped = Number.parseInt(id.slice(1, 8), 16) % 2 === 1;
  return {
    ...{ ...example, transaction_id: id },
    ...{ status: isDropped ? "dropped" : "applied", is_accepted: !isDropped },
    drop_reason: isDropped ? "tx/nullifier-spent" : null,
  };
}

const SUPPLY = {
  ...{ daaScore: 1, block: "b", notes: 1, nullifiers: 0 },
  ...{ minted: "18446744073709551615", burned: "0" },
};

async function ingest(chain: ToldChain, minute: number, database = db): Promise<void> {
  const parts = { store: new HistoryStore(database), relay: chain.relay };
  await ingestHistory({ ...parts, nowMs: minute * MINUTE_MS });
}

async function wholeHistory(): Promise<unknown> {
  const tables = ["blocks", "payments", "minutes", "hours", "reorganisations", "supply", "cursors"];
  const all = tables.map(
    async (table) => (await db.prepare(`SELECT * FROM ${table}`).all()).results,
  );
  return Promise.all(all);
}

async function caughtUp(chain: ToldChain, minute: number): Promise<void> {
  const end = minute - EXPLORER_LIMITS.historyFinalMinutes;
  for (let run = 0; run < MOST_RUNS; run += 1) {
    await ingest(chain, minute);
    if ((await new HistoryStore(db).cursor()) === end) return;
  }
  throw new Error("the history is never there");
}

describe("the history", () => {
  it("takes in minutes, and is there after some runs", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 60;
    await caughtUp(chain, NOW);
    const store = new HistoryStore(db);
    const first = await store.rows("minutes", NOW - 60, NOW - 59);
    expect(first).toEqual([{ minute: NOW - 60, blocks: 6, reds: 1, mergeMined: 0, payments: 2 }]);
    // The minutes between those that are final and the young ones come when they are final.
    expect(await store.rows("minutes", NOW - 19, NOW - 2)).toEqual([]);
    expect(await store.rows("minutes", NOW - 2, NOW)).toHaveLength(2);
    expect(await store.rows("minutes", 0, NOW - 60)).toEqual([]);
    const hours = await store.rows("hours", 0, NOW);
    expect(hours).toMatchObject([{ blocks: 258, reds: 43, payments: 86 }]);
    expect(await store.rows("supply", 0, 2 ** 40)).toEqual([
      { daaScore: 1_276_151, ...supplyExample() },
    ]);
    expect(await store.rows("reorganisations", 0, 2 ** 50)).toHaveLength(1);
  });

  it("tells applied payments from dropped ones, with the reason", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 30;
    await caughtUp(chain, NOW);
    const { results } = await db
      .prepare("SELECT status, reason, count(*) AS n FROM payments GROUP BY 1, 2 ORDER BY 1")
      .all();
    expect(results).toEqual([
      { status: "applied", reason: null, n: expect.any(Number) },
      { status: "dropped", reason: "tx/nullifier-spent", n: expect.any(Number) },
      { status: "included", reason: null, n: 4 },
    ]);
  });

  it("keeps a reorganisation whose fork point no node could tell any more", async () => {
    const store = new HistoryStore(db);
    const reorg = { t: 7, oldTip: "a", newTip: "b", forkPoint: null, removed: 2, added: 3 };
    await store.writeSeen([reorg], SUPPLY);
    expect(await store.rows("reorganisations", 7, 8)).toEqual([reorg]);
  });

  it("keeps amounts as text with all of their digits", async () => {
    const chain = new ToldChain();
    await new HistoryStore(db).writeSeen([], SUPPLY);
    await ingest(chain, NOW);
    const [row] = await new HistoryStore(db).rows("supply", 1, 2);
    expect(row).toMatchObject({ minted: "18446744073709551615" });
  });

  it("follows a reorganisation in what is young, and writes it for good when it is final", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 30;
    await caughtUp(chain, NOW);
    chain.red = 2;
    await ingest(chain, NOW);
    const colors = async (minute: number): Promise<unknown> =>
      (
        await db
          .prepare("SELECT color FROM blocks WHERE minute = ?1 ORDER BY hash")
          .bind(minute)
          .all()
      ).results;
    expect(await colors(NOW - 1)).toMatchObject({ 2: { color: "red" }, 5: { color: "blue" } });
    expect(await colors(NOW - 30)).toMatchObject({ 2: { color: "blue" }, 5: { color: "red" } });
  });

  it("skips what no node has, and does not wait for it", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 25;
    await ingest(chain, NOW);
    await ingest(chain, NOW);
    const [first] = await new HistoryStore(db).rows("minutes", 0, NOW);
    expect(first).toMatchObject({ minute: NOW - 25 });
    expect(chain.asked.length).toBeLessThan(120);
  });
});

describe("a node that has less than its index", () => {
  it.each([
    ["block", 404, [{ payments: 0 }], []],
    ["block", 410, [{ payments: 0 }], []],
    ["transaction", 404, [{ payments: 2 }], [{ status: "included", reason: null }]],
  ])("lacks a %s (%d): its minute is written all the same", async (row, status, counts, found) => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 30;
    chain.gone.set(row, status);
    await caughtUp(chain, NOW);
    const store = new HistoryStore(db);
    expect(await store.rows("minutes", NOW - 30, NOW - 29)).toMatchObject(counts);
    expect(await store.rows("minutes", NOW - 2, NOW)).toHaveLength(2);
    const { results } = await db.prepare("SELECT DISTINCT status, reason FROM payments").all();
    expect(results).toEqual(found);
  });

  it("and a fresh index skips nothing that is not final", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 1;
    await ingest(chain, NOW);
    const end = NOW - EXPLORER_LIMITS.historyFinalMinutes;
    expect(await new HistoryStore(db).cursor()).toBe(end);
  });

  it("and windows that begin later than its index skips nothing, and the young minutes are written", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 60;
    await caughtUp(chain, NOW - 20);
    const before = await new HistoryStore(db).cursor();
    chain.toldMinute = NOW - 3;
    await ingest(chain, NOW);
    expect(await new HistoryStore(db).cursor()).toBe(before);
    expect(await new HistoryStore(db).rows("minutes", NOW - 2, NOW)).toHaveLength(2);
    chain.toldMinute = null;
    await caughtUp(chain, NOW);
    expect(await new HistoryStore(db).rows("minutes", NOW - 60, NOW - 19)).toHaveLength(41);
  });
});

describe("the program is killed", () => {
  it("before any of its writes, and the next runs give the same history", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 60;
    await caughtUp(chain, NOW);
    const whole = await wholeHistory();
    for (let writes = 0; writes < 40; writes += 3) {
      await reset();
      await migrate();
      const killed = ingestKilled(chain, writes);
      await expect(killed).rejects.toThrow("killed");
      await caughtUp(chain, NOW);
      expect(await wholeHistory()).toEqual(whole);
    }
  });

  it("or runs twice at once, and nothing is counted twice", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 60;
    await caughtUp(chain, NOW);
    const whole = await wholeHistory();
    await reset();
    await migrate();
    for (let run = 0; run < 10; run += 1)
      await Promise.all([ingest(chain, NOW), ingest(chain, NOW)]);
    expect(await wholeHistory()).toEqual(whole);
  });

  /** Runs until the kill comes. */
  async function ingestKilled(chain: ToldChain, writes: number): Promise<void> {
    const database = killedDatabase(db, writes);
    for (let run = 0; run < MOST_RUNS; run += 1) await ingest(chain, NOW, database);
  }
});

describe("what a node says is not written", () => {
  it.each([
    ["old data", { isLast: true }],
    ["a refusal", { status: 404 }],
  ])("where it is %s", async (_, word) => {
    const chain = new ToldChain();
    const relay = async (call: RestCall): Promise<RelayedAnswer> => {
      const told = await chain.relay(call);
      return {
        isLast: "isLast" in word,
        answer: { ...told.answer, ...("status" in word ? word : {}) },
      };
    };
    const ran = ingestHistory({ store: new HistoryStore(db), relay, nowMs: NOW * MINUTE_MS });
    await expect(ran).rejects.toMatchObject({ code: "http/unavailable" });
    expect(await new HistoryStore(db).rows("minutes", 0, NOW)).toEqual([]);
  });

  it("for good while its index is behind", async () => {
    const chain = new ToldChain();
    chain.coveredMinute = NOW - 60;
    chain.behind = 1_000;
    await ingest(chain, NOW);
    expect(await new HistoryStore(db).cursor()).toBeNull();
    chain.behind = 0;
    await caughtUp(chain, NOW);
  });

  it("where its blocks are of another minute", async () => {
    const chain = new ToldChain();
    const relay = async (call: RestCall): Promise<RelayedAnswer> =>
      chain.relay(
        call.name === "blockWindow" ? { ...call, path: "/blocks/window?minute=29000000" } : call,
      );
    const ran = ingestHistory({ store: new HistoryStore(db), relay, nowMs: NOW * MINUTE_MS });
    await expect(ran).rejects.toBeInstanceOf(SvcError);
    expect(await new HistoryStore(db).rows("minutes", 0, NOW)).toEqual([]);
  });
});

function supplyExample(): object {
  const { blockHash, turnstileIn, turnstileOut, noteCount, nullifierCount } =
    REST_ROUTES.shielded.example.answer;
  return {
    ...{ block: blockHash, minted: turnstileIn, burned: turnstileOut },
    ...{ notes: noteCount, nullifiers: nullifierCount },
  };
}
