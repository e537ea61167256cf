/** Benchmark of the chain's key-value store: one block's commit, reads of what it wrote, a range over all of it. */
import { createHash } from "node:crypto";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import type { Kv, KvChange } from "@svc/node-server/storage/kv.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Bench, Series } from "../run/bench.ts";

const TABLES = [1, 2] as const;
const PUTS_PER_COMMIT = 60;
const VALUE_BYTES = 200;
const ROUNDS = 9;
const COMMITS_PER_ROUND = 20;
const READS_PER_ROUND = 2_000;
const FIRST_KEY = new Uint8Array(32);
const LAST_KEY = new Uint8Array(32).fill(0xff);

/** LMDB on disk with synchronous commits: 60 puts of 200 bytes over two tables. */
export const storeBench: Bench = {
  kind: "series",
  name: "store",
  about: "LMDB: durable commits of 60 puts (32 byte keys, 200 byte values), reads, range rows",
  figures: [
    { field: "median.commit", better: "lower" },
    { field: "median.get", better: "lower" },
    { field: "median.range row", better: "lower" },
  ],
  async run({ signal }) {
    return inTemporaryFolder(async (path) => {
      const store = new LmdbKv({ path });
      try {
        return measure(store, signal);
      } finally {
        await store.close();
      }
    });
  },
};

function measure(store: Kv, signal: AbortSignal): readonly Series[] {
  const commits: number[] = [];
  const reads: number[] = [];
  const rows: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    throwIfAborted(signal);
    const batches = Array.from({ length: COMMITS_PER_ROUND }, (_, i) =>
      batchOf(round * COMMITS_PER_ROUND + i),
    );
    const commitMs = timed(() => batches.forEach((batch) => store.commit(batch)));
    commits.push(commitMs / COMMITS_PER_ROUND);
    const keys = batches.flat().map(({ table, key }) => ({ table, key }));
    const readMs = timed(() => {
      for (let i = 0; i < READS_PER_ROUND; i += 1) {
        const at = keys[(i * 7919) % keys.length];
        if (at === undefined || store.get(at.table, at.key) === undefined) {
          throw new Error("a committed key is missing");
        }
      }
    });
    reads.push((readMs * 1000) / READS_PER_ROUND);
    rows.push(rangeSample(store));
  }
  return [
    { name: "commit", unit: "ms", samples: commits },
    { name: "get", unit: "µs", samples: reads },
    { name: "range row", unit: "µs", samples: rows },
  ];
}

function rangeSample(store: Kv): number {
  let count = 0;
  const ms = timed(() => {
    const range = {
      table: TABLES[0],
      from: FIRST_KEY,
      to: LAST_KEY,
      limit: Number.MAX_SAFE_INTEGER,
    };
    count = store.range(range).length;
  });
  return (ms * 1000) / count;
}

function batchOf(index: number): KvChange[] {
  return Array.from({ length: PUTS_PER_COMMIT }, (_, i) => {
    const key = createHash("sha256").update(`${index}/${i}`).digest();
    const table = TABLES[i % TABLES.length] ?? TABLES[0];
    return { table, key, value: new Uint8Array(VALUE_BYTES).fill(i) };
  });
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
