/** The node's own database, with out-of-space errors escalated: a commit without room ends the node, whoever was writing. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { isOutOfRoom } from "../../storage/diskSpace.ts";
import type { Kv, KvChange, KvPair, KvRange, KvReader } from "../../storage/kv.ts";

/** What happens when a commit finds no room. */
export type TellingOptions = {
  /** Ends the node. */
  readonly onOutOfRoom: (error: SvcError) => void;
  /** Whether what was not written is of so little worth that its writer need not know: the node ends anyway. */
  readonly isForgiving: boolean;
};

/** A wrapper around `inner` that reports commits without room. Closing it closes `inner`. */
export class OutOfSpaceKv implements Kv {
  readonly #inner: Kv;
  readonly #options: TellingOptions;

  constructor(inner: Kv, options: TellingOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    return this.#inner.get(table, key);
  }

  range(range: KvRange): KvPair[] {
    return this.#inner.range(range);
  }

  commit(changes: readonly KvChange[]): void {
    const { onOutOfRoom, isForgiving } = this.#options;
    try {
      this.#inner.commit(changes);
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (!isOutOfRoom(error)) throw thrown;
      onOutOfRoom(error);
      if (!isForgiving) throw thrown;
    }
  }

  snapshot(): KvReader {
    return this.#inner.snapshot();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
