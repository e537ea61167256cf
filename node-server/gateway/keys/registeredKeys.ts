/**
 * The viewing keys of the merchants of a self-hosted gateway: payments are looked for with them, and they have addresses ready. Both are
 * done a bounded part at a time, so that many keys keep nobody waiting.
 */
import { setImmediate } from "node:timers/promises";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import type { MerchantTable } from "../access/merchantTable.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { ScannedKey } from "../scan/scannedKey.ts";
import type { AddressRuns } from "./addressRuns.ts";
import type { ViewingKeyFiles } from "./viewingKeyFile.ts";

/** Dependencies. */
export type RegisteredKeysParts = {
  readonly merchants: Pick<MerchantTable, "pages">;
  readonly files: Pick<ViewingKeyFiles, "get">;
  readonly chain: {
    readonly add: (keys: readonly ScannedKey[]) => void;
    readonly keyOf: (id: ViewingKeyId) => ScannedKey | undefined;
  };
  readonly runs: Pick<AddressRuns, "fill">;
  readonly network: string;
};

/** The keys. */
export class RegisteredKeys {
  readonly #parts: RegisteredKeysParts;
  /** Keys that have not been looked at for addresses. One at a time is: who needs an address of another one gets it before its turn. */
  readonly #unfilled = new Set<ViewingKeyId>();
  #filling: Promise<void> | null = null;
  #isStopped = false;

  constructor(parts: RegisteredKeysParts) {
    this.#parts = parts;
  }

  /** Takes in keys of merchants that are new, `keysAtOnce` in one go. Rejects with `gateway/key-file`, `gateway/storage`. */
  async look(): Promise<void> {
    const { merchants, chain } = this.#parts;
    for (const rows of merchants.pages(GATEWAY_LIMITS.keysAtOnce)) {
      const wanted = new Set(rows.map(({ key }) => key));
      const fresh = [...wanted].filter((id) => chain.keyOf(id) === undefined);
      const found = fresh.flatMap((id) => this.#read(id));
      chain.add(found);
      for (const { id } of found) this.#unfilled.add(id);
      await setImmediate();
      if (this.#isStopped) return;
    }
    if (this.#unfilled.size > 0) this.#filling ??= this.#fillAll();
  }

  /** Ends; resolves when no run is made any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#filling;
  }

  #read(id: ViewingKeyId): readonly ScannedKey[] {
    const file = this.#parts.files.get(id);
    return file === null || file.network !== this.#parts.network ? [] : [file];
  }

  async #fillAll(): Promise<void> {
    for (const id of this.#unfilled) {
      this.#unfilled.delete(id);
      // It never rejects: a failure is logged, and who needs an address tries again.
      await this.#parts.runs.fill(id);
      await setImmediate();
      if (this.#isStopped) break;
    }
    this.#filling = null;
  }
}
