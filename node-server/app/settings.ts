/** The node's settings that a person changes while it runs and that survive a restart. */
import type { Kv } from "../storage/kv.ts";
import { META_TABLES } from "../storage/layout.ts";

const ARCHIVAL = new TextEncoder().encode("archival");
const MINER_ADDRESS = new TextEncoder().encode("minerAddress");
/** Stored values begin with it. */
const VERSION = 1;

/** Reads and writes settings; a write is on disk when it returns. */
export class Settings {
  readonly #store: Kv;

  constructor(store: Kv) {
    this.#store = store;
  }

  /** The address that the local miner paid last. */
  minerAddress(): string | null {
    const value = this.#store.get(META_TABLES.settings, MINER_ADDRESS);
    return value?.[0] === VERSION ? new TextDecoder().decode(value.subarray(1)) : null;
  }

  /** Whether the node that used the folder last kept every body. */
  wasArchival(): boolean {
    const value = this.#store.get(META_TABLES.settings, ARCHIVAL);
    return value?.[0] === VERSION && value[1] === 1;
  }

  setArchival(archival: boolean): void {
    const value = Uint8Array.of(VERSION, Number(archival));
    this.#store.commit([{ table: META_TABLES.settings, key: ARCHIVAL, value }]);
  }

  setMinerAddress(address: string): void {
    const text = new TextEncoder().encode(address);
    const value = Uint8Array.of(VERSION, ...text);
    this.#store.commit([{ table: META_TABLES.settings, key: MINER_ADDRESS, value }]);
  }
}
