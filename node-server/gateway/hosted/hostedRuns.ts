/** Gives a hosted gateway addresses: a first run for each viewing key, and another one where the gateway says that few are left. */
import { asAddressText, asRawAddress, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { AddressesFact } from "@svc/shared/invoice/factBatch.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { addressRun, type RunSource } from "../keys/addressRun.ts";
import type { FactOutbox } from "./factOutbox.ts";

/** Dependencies. */
export type HostedRunsParts = RunSource & {
  readonly outbox: Pick<FactOutbox, "runOf" | "takeRun" | "roomAtBlock">;
  /** A raw address of 43 bytes as text: the edge has no core that would write it. */
  readonly addressText: (raw: Uint8Array) => string;
  readonly clock: Pick<Clock, "steadyMs">;
  readonly log: Pick<Log, "error">;
};

const ADDRESS_BYTES = 43;

/** The runs of a scanner's viewing keys. */
export class HostedRuns {
  readonly #parts: HostedRunsParts;
  readonly #making = new Map<ViewingKeyId, Promise<void>>();
  readonly #madeMs = new Map<ViewingKeyId, bigint>();
  readonly #life = new AbortController();
  #known: ReadonlySet<ViewingKeyId> = new Set();

  constructor(parts: HostedRunsParts) {
    this.#parts = parts;
  }

  /** These viewing keys are registered: each that was given no run gets one, as soon as a block was scanned. */
  keep(keys: readonly ViewingKeyId[]): void {
    this.#known = new Set(keys);
    for (const key of keys) if (this.#parts.outbox.runOf(key) === null) void this.#make(key);
  }

  /**
   * The gateway says that few are left, in its answer to this batch. Where the last run is on its way, or was made just now, it gets none: a
   * gateway that always says so would use up all indices.
   */
  low(key: ViewingKeyId, sequence: bigint): void {
    const { outbox, clock } = this.#parts;
    const last = outbox.runOf(key);
    if (!this.#known.has(key) || (last !== null && last > sequence)) return;
    const madeMs = this.#madeMs.get(key);
    if (madeMs !== undefined && clock.steadyMs() - madeMs < GATEWAY_LIMITS.pushRunMs) return;
    void this.#make(key);
  }

  /** Ends; resolves when no run is being made. */
  async stop(): Promise<void> {
    this.#life.abort();
    await Promise.all(this.#making.values());
  }

  #make(key: ViewingKeyId): Promise<void> {
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const running = this.#run(key).finally(() => this.#making.delete(key));
    this.#making.set(key, running);
    return running;
  }

  async #run(key: ViewingKeyId): Promise<void> {
    const { outbox, clock, log } = this.#parts;
    try {
      await outbox.roomAtBlock(this.#life.signal);
      outbox.takeRun(await this.#nextRun(key));
      this.#madeMs.set(key, clock.steadyMs());
    } catch (thrown) {
      if (this.#life.signal.aborted) return;
      log.error({ err: SvcError.from(thrown), key }, "a viewing key got no further addresses");
    }
  }

  async #nextRun(key: ViewingKeyId): Promise<AddressesFact> {
    let from: number | null = null;
    const addresses: AddressesFact["addresses"] = [];
    for await (const part of addressRun(this.#parts, key)) {
      from ??= part.from;
      addresses.push(...this.#addressesOf(part.addresses));
    }
    return { kind: "addresses", key, from: from ?? 0, addresses };
  }

  #addressesOf(bytes: Uint8Array): AddressesFact["addresses"] {
    return Array.from({ length: bytes.length / ADDRESS_BYTES }, (_, place) => {
      const raw = bytes.subarray(place * ADDRESS_BYTES, (place + 1) * ADDRESS_BYTES);
      const text = asAddressText(this.#parts.addressText(raw));
      return { raw: asRawAddress(encodeHex(raw)), text };
    });
  }
}
