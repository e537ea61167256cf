/**
 * The engine's store, and what it last refused with. The core passes the refusal of a store on as text, without its code:
 * who reports why the engine ended asks here.
 */
import type { HostStore } from "@svc/shared/core/coreGlue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv } from "../storage/kv.ts";
import { kvHostStore } from "./kvHostStore.ts";

/** One store on its way to the core. */
export class WatchedStore {
  /** What the core is given. */
  readonly host: HostStore;
  #refusal: SvcError | null = null;

  constructor(store: Kv) {
    const host = kvHostStore(store);
    this.host = { ...host, commit: (batch) => this.#commit(host, batch) };
  }

  /** The store's own words where an error of the core is that a commit was refused; else the error. */
  originOf(error: SvcError): SvcError {
    return error.code === "store/commit-failed" ? (this.#refusal ?? error) : error;
  }

  #commit(host: HostStore, batch: Uint8Array): void {
    try {
      host.commit(batch);
    } catch (thrown) {
      this.#refusal = SvcError.from(thrown);
      throw thrown;
    }
  }
}
