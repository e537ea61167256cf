/**
 * Gives a hosted gateway addresses: a first run for each viewing key, and another one where the gateway says that few are left. Runs are made
 * one after the other, and each waits for room in the outbox.
 */
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
  /** Keys whose run is to be made, in the order in which they were asked for. */
  readonly #wanted = new Set<ViewingKeyId>();
  /** When a run was begun last, also one that failed. */
  readonly #begunMs = new Map<ViewingKeyId, bigint>();
  readonly #life = new AbortController();
  #running: Promise<void> | null = null;
  #known: ReadonlySet<ViewingKeyId> = new Set();

  constructor(parts: HostedRunsParts) {
    this.#parts = parts;
  }

  /** These viewing keys are registered: each that was given no run gets one, as soon as a block was scanned. */
  keep(keys: readonly ViewingKeyId[]): void {
    this.#known = new Set(keys);
    for (const key of keys) if (this.#parts.outbox.runOf(key) === null) this.#want(key);
  }

  /**
   * The gateway says that few are left, in its answer to this batch. Where the last run is on its way, or was made just now, it gets none: a
   * gateway that always says so would use up all indices.
   */
  low(key: ViewingKeyId, sequence: bigint): void {
    const last = this.#parts.outbox.runOf(key);
    if (this.#known.has(key) && (last === null || last <= sequence)) this.#want(key);
  }

  /** Ends; resolves when no run is being made. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#running;
  }

  /** Neither too often: a run that fails has used up its indices, too. */
  #want(key: ViewingKeyId): void {
    const begunMs = this.#begunMs.get(key);
    const nowMs = this.#parts.clock.steadyMs();
    if (begunMs !== undefined && nowMs - begunMs < GATEWAY_LIMITS.pushRunMs) return;
    this.#wanted.add(key);
    this.#running ??= this.#work();
  }

  async #work(): Promise<void> {
    // What is wanted meanwhile comes behind the others.
    for (const key of this.#wanted) {
      await this.#make(key);
      this.#wanted.delete(key);
    }
    this.#running = null;
  }

  async #make(key: ViewingKeyId): Promise<void> {
    const { outbox, clock, log } = this.#parts;
    const { signal } = this.#life;
    try {
      await outbox.roomAtBlock(signal);
      this.#begunMs.set(key, clock.steadyMs());
      const run = await this.#nextRun(key);
      await outbox.roomAtBlock(signal);
      outbox.takeRun(run);
    } catch (thrown) {
      if (signal.aborted) return;
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
