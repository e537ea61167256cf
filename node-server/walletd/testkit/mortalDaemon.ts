/**
 * A daemon that dies at a step that was drawn by chance: before or after a commit, before or after the node takes a transaction, or
 * while it proves. A dead one does nothing more that anybody could see.
 */
import type { TxId } from "@svc/shared/base/brand.ts";
import { ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import type { Kv, KvChange, KvPair, KvRange, KvReader } from "../../storage/kv.ts";
import type { SceneDisk } from "./spendScene.ts";

/** The steps at which a daemon can die, as many of them as it survives. */
export class Mortality {
  /** Resolves when it has died. */
  readonly died: Promise<void>;
  #left: number;
  #die: () => void = () => undefined;
  isDead = false;

  constructor(steps: number) {
    this.#left = steps;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  /** Whether this step is the last one. */
  step(): boolean {
    if (this.isDead) return true;
    this.#left -= 1;
    if (this.#left > 0) return false;
    this.isDead = true;
    this.#die();
    return true;
  }

  /** Never resolves for the dead. */
  async pass(): Promise<void> {
    if (this.step()) await new Promise(() => undefined);
  }
}

/** A database that dies with its daemon. */
export class MortalKv implements Kv {
  readonly #inner: Kv;
  readonly #mortality: Mortality;

  constructor(inner: Kv, mortality: Mortality) {
    this.#inner = inner;
    this.#mortality = mortality;
  }

  commit(changes: readonly KvChange[]): void {
    if (this.#mortality.step()) throw new Error("dead before a commit");
    this.#inner.commit(changes);
    if (this.#mortality.step()) throw new Error("dead after a commit");
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    return this.#inner.get(table, key);
  }

  range(range: KvRange): KvPair[] {
    return this.#inner.range(range);
  }

  snapshot(): KvReader {
    return this.#inner.snapshot();
  }

  async close(): Promise<void> {}
}

/** The disk's node as a mortal daemon reaches it. */
export class MortalNode extends ModelNode {
  readonly #disk: SceneDisk;
  readonly #mortality: Mortality;

  constructor(disk: SceneDisk, mortality: Mortality) {
    super(disk.model);
    this.#disk = disk;
    this.#mortality = mortality;
  }

  override async submit(raw: Uint8Array): Promise<TxId> {
    await this.#mortality.pass();
    const txid = await this.#disk.node.submit(raw);
    await this.#mortality.pass();
    return txid;
  }
}
