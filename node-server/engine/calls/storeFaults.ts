/**
 * Restart limit for a failing store: counts its read errors over all threads that use it. A missing or unreadable record may be
 * hit again and again, with successful reads between, and a restarted thread would hit it again.
 */
import { join } from "node:path";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { DATA_FILE, damagedFile } from "../../storage/checkDatabase.ts";

/** Dependencies of the count: which store it is, and who ends the node. */
export type StoreFaultsParts = {
  /** Folder of the database, or null for a store in memory. */
  readonly folder: string | null;
  /** Ends the node. Not called for what `note` returns. */
  readonly onFatal: (error: SvcError) => void;
};

/** Counts the errors of one store. */
export class StoreFaults {
  readonly #parts: StoreFaultsParts;
  #met = 0;

  constructor(parts: StoreFaultsParts) {
    this.#parts = parts;
  }

  /**
   * Counts the error that a thread ended with. Returns the one that ends the node: damage at once, what is missing or cannot
   * be read after `ENGINE_LIMITS.storeFaultsMost` times; null while another try is left, and for all other errors.
   */
  note(error: SvcError): SvcError | null {
    if (SvcError.is(error, "store/corrupt", "store/damaged")) return error;
    if (!SvcError.is(error, "store/missing", "store/unreadable")) return null;
    return this.#again(error);
  }

  /** As `note` for a thread that reads beside the engine: returns whether the node ends, and has it end. */
  ends(error: SvcError): boolean {
    // Damage that the engine does not meet may be one record that nobody asks for again: that is tried as well.
    const end = SvcError.is(error, "store/corrupt", "store/damaged")
      ? this.#again(error)
      : this.note(error);
    if (end !== null) this.#parts.onFatal(end);
    return end !== null;
  }

  /** The same error, where it is of a file and does not say so with file and remedy. */
  named(error: SvcError): SvcError {
    const { folder } = this.#parts;
    if (folder === null || !SvcError.is(error, "store/missing")) return error;
    const { table = "", key = "" } = error.data;
    const reason = `it lacks ${key === "" ? "a row" : key} in table ${table}`;
    return damagedFile(join(folder, DATA_FILE), reason, { cause: error });
  }

  /** Another store is in its place. */
  forget(): void {
    this.#met = 0;
  }

  /** `store/failing` as soon as one was met. */
  warnings(): readonly SvcError[] {
    if (this.#met === 0) return [];
    const most = ENGINE_LIMITS.storeFaultsMost;
    return [new SvcError("store/failing", { times: this.#met, most })];
  }

  #again(error: SvcError): SvcError | null {
    this.#met += 1;
    return this.#met < ENGINE_LIMITS.storeFaultsMost ? null : this.named(error);
  }
}
