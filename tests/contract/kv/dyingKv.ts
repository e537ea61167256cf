/** Fault injection: a database that kills its process at a chosen point of a commit. */
import { HOST_TABLE, NEXT_SEGMENT_KEY, segmentOfKey } from "@svc/node-server/storage/hostTable.ts";
import type { BaseKv, KvChange, KvPair, KvRange, KvReader } from "@svc/node-server/storage/kv.ts";
import { equalBytes } from "@svc/shared/base/bytes.ts";

/** Which commit the process dies in: one that begins a segment file, or one that removes a file from the segment account. */
export type DeadlyCommit = "begins" | "strikes";

/** Where a process dies: payloads are flushed and not committed; committed, and no file removed yet. */
export type DeadlyPoint = { readonly commit: DeadlyCommit; readonly moment: "before" | "after" };

/** Every point, by the name that a child process gets it under. */
export const DEADLY_POINTS: ReadonlyMap<string, DeadlyPoint> = new Map([
  ["before a file begins", { commit: "begins", moment: "before" }],
  ["after a file begins", { commit: "begins", moment: "after" }],
  ["before a file is struck", { commit: "strikes", moment: "before" }],
  ["after a file is struck", { commit: "strikes", moment: "after" }],
]);

function isDeadly(changes: readonly KvChange[], commit: DeadlyCommit): boolean {
  const host = changes.filter(({ table }) => table === HOST_TABLE);
  return commit === "begins"
    ? host.some(({ key }) => equalBytes(key, NEXT_SEGMENT_KEY))
    : host.some(({ key, value }) => segmentOfKey(key) !== null && value === null);
}

/** The database `inner`; the first `spared` commits of the kind are survived. */
export class DyingKv implements BaseKv {
  readonly #inner: BaseKv;
  readonly #point: DeadlyPoint;
  #spared: number;

  constructor(inner: BaseKv, point: DeadlyPoint, spared: number) {
    this.#inner = inner;
    this.#point = point;
    this.#spared = spared;
  }

  commit(changes: readonly KvChange[]): void {
    const deadly = isDeadly(changes, this.#point.commit);
    const now = deadly && this.#spared === 0;
    if (now && this.#point.moment === "before") process.kill(process.pid, "SIGKILL");
    this.#inner.commit(changes);
    if (now) process.kill(process.pid, "SIGKILL");
    if (deadly) this.#spared -= 1;
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    return this.#inner.get(table, key);
  }

  range(range: KvRange): KvPair[] {
    return this.#inner.range(range);
  }

  snapshot(): KvReader {
    return this.#inner.snapshot();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  lastCommit(): number {
    return this.#inner.lastCommit();
  }

  oldestReader(): number {
    return this.#inner.oldestReader();
  }
}
