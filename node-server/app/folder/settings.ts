/** Persistent settings that a person changes while the node runs. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv } from "../../storage/kv.ts";
import { META_TABLES } from "../../storage/layout.ts";

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

  /** The address that the local miner paid last. Errors: `store/corrupt`. */
  minerAddress(): string | null {
    const value = this.#store.get(META_TABLES.settings, MINER_ADDRESS);
    if (value === undefined) return null;
    if (value[0] !== VERSION) throw corrupt("address of the miner");
    return new TextDecoder().decode(value.subarray(1));
  }

  /** Whether the node that used the folder last kept every body. Errors: `store/corrupt`, lest they are deleted. */
  wasArchival(): boolean {
    const value = this.#store.get(META_TABLES.settings, ARCHIVAL);
    if (value === undefined) return false;
    const [version, archival = 0] = value;
    if (version !== VERSION || value.length !== 2 || archival > 1) throw corrupt("archival");
    return archival === 1;
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

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "settings", reason });
}
