/**
 * Keeps addresses ready for invoices: a viewing key that runs low gets another run. Its indices are reserved in the key's file first, so a
 * kill loses a run at most, and gives no index twice. Who needs an address while none is ready waits for the next part of a run.
 */
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import { addressRun, type RunSource } from "./addressRun.ts";

/** Dependencies. */
export type AddressRunsParts = RunSource & {
  readonly store: Pick<GatewayStore, "run" | "addresses">;
  readonly log: Pick<Log, "error">;
};

/** The runs of a gateway's viewing keys. */
export class AddressRuns {
  readonly #parts: AddressRunsParts;
  readonly #filling = new Map<ViewingKeyId, Promise<void>>();
  /** Addresses that are left: counting them anew for each invoice would read all of them. */
  readonly #left = new Map<ViewingKeyId, number>();

  /** Callers that wait for the next part of a run. */
  readonly #awaited = new Map<ViewingKeyId, PromiseWithResolvers<void>>();

  constructor(parts: AddressRunsParts) {
    this.#parts = parts;
  }

  /** An invoice got an address of a viewing key: another run is made where it runs low now. */
  taken(key: ViewingKeyId): void {
    this.#left.set(key, this.#leftOf(key) - 1);
    void this.fill(key);
  }

  /** Gives a viewing key another run where it runs low. Resolves when it has one; a failure is logged, and tried again at the next call. */
  fill(key: ViewingKeyId): Promise<void> {
    if (this.#leftOf(key) >= GATEWAY_LIMITS.addressLow) return Promise.resolve();
    const known = this.#filling.get(key);
    if (known !== undefined) return known;
    const running = this.#fill(key).finally(() => this.#filling.delete(key));
    this.#filling.set(key, running);
    return running;
  }

  /** Resolves when there may be addresses again: a part of a run is there, or no run is made any more. */
  async more(key: ViewingKeyId): Promise<void> {
    const part = this.#awaited.get(key) ?? Promise.withResolvers<void>();
    this.#awaited.set(key, part);
    await Promise.race([part.promise, this.fill(key)]);
  }

  #leftOf(key: ViewingKeyId): number {
    return this.#left.get(key) ?? this.#parts.store.addresses.left(key);
  }

  /** A part of a run is there. Counting from the table would read all runs. */
  #added(key: ViewingKeyId): void {
    const known = this.#left.get(key);
    if (known !== undefined) this.#left.set(key, known + GATEWAY_LIMITS.addressesAtOnce);
    this.#awaited.get(key)?.resolve();
    this.#awaited.delete(key);
  }

  async #fill(key: ViewingKeyId): Promise<void> {
    const { store, log } = this.#parts;
    try {
      // Each part is given out as soon as it is there.
      for await (const part of addressRun(this.#parts, key)) {
        await store.run((batch) => store.addresses.add(batch, part));
        this.#added(key);
      }
      this.#left.set(key, store.addresses.left(key));
    } catch (thrown) {
      log.error({ err: SvcError.from(thrown), key }, "a viewing key got no further addresses");
    }
  }
}
