/**
 * Commits of a database of rows. Every change is part of a step that collects changes of any tables, which are then written together
 * or not at all. Nothing is visible before it is on disk. Each commit has a number, which is part of it, so a database that
 * somebody put back is known by it.
 */
import * as v from "valibot";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv } from "../kv.ts";
import { jsonCodec, RowTable } from "./rowTable.ts";
import { StoreBatch } from "./storeBatch.ts";

const SEQUENCE_KEY = Uint8Array.of(0);

/** The steps over one database. One object writes it. */
export class StoreSteps {
  readonly #kv: Kv;
  readonly #sequences: RowTable<{ readonly sequence: bigint }>;
  #sequence: bigint;
  #problem: SvcError | null = null;
  #isCommitting = false;

  /** `table`: where the number of the last commit stands, under the key 0. */
  constructor(kv: Kv, table: number) {
    this.#kv = kv;
    this.#sequences = new RowTable({
      table,
      name: "sequence",
      codec: jsonCodec<{ readonly sequence: bigint }>(v.object({ sequence: fields.u64 })),
      seal: null,
    });
    this.#sequence = this.#sequences.get(kv, SEQUENCE_KEY)?.sequence ?? 0n;
  }

  /** The number of the last commit; 0 before the first. */
  get sequence(): bigint {
    return this.#sequence;
  }

  /** What the last commit failed with, such as a full disk; null when it did not. */
  get problem(): SvcError | null {
    return this.#problem;
  }

  /**
   * Runs a step and commits what it collects in the batch; returns what the step does. A step that throws changes nothing, and
   * one that changes nothing is no commit. The step is over when it returns: it cannot wait. Throws `store/commit-failed` and
   * its kin; the store is then as before.
   */
  commit<T>(step: (batch: StoreBatch) => T): T {
    if (this.#isCommitting) throw unexpected("a commit within a commit");
    this.#isCommitting = true;
    const batch = new StoreBatch(this.#kv, this.#sequence + 1n);
    try {
      const result = step(batch);
      if (result instanceof Promise) throw unexpected("a step of a commit waits");
      if (batch.isEmpty) return result;
      this.#sequences.put(batch, SEQUENCE_KEY, { sequence: batch.sequence });
      this.#write(batch);
      return result;
    } finally {
      batch.end();
      this.#isCommitting = false;
    }
  }

  /** After a commit that failed: looks whether one works again. Never throws. */
  retry(): void {
    if (this.#problem === null) return;
    try {
      this.commit((batch) =>
        this.#sequences.put(batch, SEQUENCE_KEY, { sequence: batch.sequence }),
      );
    } catch {
      // It is the problem.
    }
  }

  #write(batch: StoreBatch): void {
    const { sequence } = batch;
    try {
      this.#kv.commit(batch.end());
    } catch (thrown) {
      this.#problem = SvcError.from(thrown);
      throw thrown;
    }
    this.#problem = null;
    this.#sequence = sequence;
  }
}

function unexpected(message: string): SvcError {
  return new SvcError("internal/unexpected", { message });
}
