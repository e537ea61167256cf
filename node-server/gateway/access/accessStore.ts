/**
 * Who may use the gateway: merchants, their API keys and their tills. The operator's commands write it, one at a time; the gateway reads it, and sees
 * what they wrote at once.
 */
import { openReadOnly, openStore } from "../../storage/openStore.ts";
import type { Kv } from "../../storage/kv.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { StoreSteps } from "../../storage/rows/storeSteps.ts";
import { ACCESS_LAYOUT, ACCESS_TABLES } from "./accessLayout.ts";
import { ApiKeyTable } from "./apiKeyTable.ts";
import { TillTable } from "./tillTable.ts";
import { MerchantTable } from "./merchantTable.ts";

/** The tables, and the commits over them. */
export class AccessStore {
  readonly merchants: MerchantTable;
  readonly apiKeys: ApiKeyTable;
  readonly tills: TillTable;
  readonly #kv: Kv;
  readonly #steps: StoreSteps;

  /** Takes over an open database of `ACCESS_LAYOUT`. */
  constructor(kv: Kv) {
    this.#kv = kv;
    this.merchants = new MerchantTable(kv);
    this.apiKeys = new ApiKeyTable(kv);
    this.tills = new TillTable(kv);
    this.#steps = new StoreSteps(kv, ACCESS_TABLES.sequence);
  }

  /** Opens or creates the database in a folder, to be written; null gives one in memory. Rejects as `openStore` does. */
  static async open(folder: string | null): Promise<AccessStore> {
    const { store } = await openStore(folder, ACCESS_LAYOUT);
    return new AccessStore(store);
  }

  /** Opens the database in a folder to be read, while others may write it. Throws as `openReadOnly` does. */
  static read(folder: string): AccessStore {
    return new AccessStore(openReadOnly(folder, ACCESS_LAYOUT));
  }

  /** Commits what a step collects, as `StoreSteps.commit`. */
  commit<T>(step: (batch: StoreBatch) => T): T {
    return this.#steps.commit(step);
  }

  /** Closes the database. */
  close(): Promise<void> {
    return this.#kv.close();
  }
}
