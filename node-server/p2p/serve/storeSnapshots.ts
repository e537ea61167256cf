/** Snapshots of a store that another thread writes, each with a reader of the core over it. */
import type { HostStore } from "@svc/shared/core/wasmHost.ts";
import type { RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { readHostStore } from "../../engine/host/kvHostStore.ts";
import type { Kv } from "../../storage/kv.ts";
import type { StoreSnapshot } from "./pointExport.ts";

/** Opens snapshots. A reader is made once and used again: it keeps nothing from one snapshot to the next. */
export class StoreSnapshots {
  readonly #store: Pick<Kv, "snapshot">;
  readonly #makeReader: (host: HostStore) => RawReader;
  /** Readers that nobody uses, with the store that each reads through. */
  readonly #free: { readonly reader: RawReader; readonly host: MovableStore }[] = [];

  constructor(store: Pick<Kv, "snapshot">, makeReader: (host: HostStore) => RawReader) {
    this.#store = store;
    this.#makeReader = makeReader;
  }

  /** Looks at the last commit. Errors: `store/…`, the core's. */
  open(): StoreSnapshot {
    const snapshot = this.#store.snapshot();
    try {
      const { reader, host } = this.#free.pop() ?? this.#make(readHostStore(snapshot));
      host.target = readHostStore(snapshot);
      let isOpen = true;
      const close = (): void => {
        if (!isOpen) return;
        isOpen = false;
        snapshot.close();
        this.#free.push({ reader, host });
      };
      return { reader, close };
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  #make(target: HostStore): { readonly reader: RawReader; readonly host: MovableStore } {
    const host = new MovableStore(target);
    return { reader: this.#makeReader(host), host };
  }
}

/** A store that may be exchanged for another one. */
class MovableStore implements HostStore {
  target: HostStore;

  constructor(target: HostStore) {
    this.target = target;
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    return this.target.get(table, key);
  }

  range(...range: Parameters<HostStore["range"]>): Uint8Array {
    return this.target.range(...range);
  }

  commit(batch: Uint8Array): void {
    this.target.commit(batch);
  }
}
