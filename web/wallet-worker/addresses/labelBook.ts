/** Labels of an open wallet: read once, changed one after the other, and never shown before they are stored. */
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";
import type { Labels } from "@svc/shared/wallet/labels/labelForm.ts";

/** Where the labels are kept. */
export type LabelKeeper<Key extends string | number> = {
  load(): Promise<Labels<Key>>;
  store(labels: Labels<Key>): Promise<void>;
};

/** The labels of one kind. */
export class LabelBook<Key extends string | number> {
  readonly #keeper: LabelKeeper<Key>;
  readonly #onChange: () => void;
  readonly #changing = new Mutex();
  #labels: Labels<Key> | null = null;
  #version = 0;

  /** `onChange` is called when the labels were read, and with each change. */
  constructor(keeper: LabelKeeper<Key>, onChange: () => void) {
    this.#keeper = keeper;
    this.#onChange = onChange;
  }

  /** The labels as far as they were read; none before. */
  get known(): Labels<Key> {
    return this.#labels ?? new Map();
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** The labels. Rejects as their store does. */
  async load(): Promise<Labels<Key>> {
    if (this.#labels !== null) return this.#labels;
    const labels = await this.#keeper.load();
    // Of two that read at once, the first counts: the other may have begun before a change.
    if (this.#labels === null) this.#set(labels);
    return this.known;
  }

  /** Stores what `change` makes of them; null leaves them. Rejects as the store does; then nothing changed. */
  async change(change: (labels: Labels<Key>) => Labels<Key> | null): Promise<void> {
    await this.#changing.run(async () => {
      const changed = change(await this.load());
      if (changed === null) return;
      await this.#keeper.store(changed);
      this.#set(changed);
    });
  }

  #set(labels: Labels<Key>): void {
    this.#labels = labels;
    this.#version += 1;
    this.#onChange();
  }
}
