/**
 * One tab at a time has the wallet (specification webwallet 5.15): a Web Lock decides, a channel
 * asks the holder to give way. The lock ends with its tab, so a crash never leaves it behind.
 */
const LOCK = "svc-wallet";
const CHANNEL = "svc-wallet-tabs";
const GIVE_WAY = "give-way";

/** Who has the wallet. */
export type LeaseListener = {
  /** Another tab has it; this one waits. */
  readonly onWaiting: () => void;
  /** This tab has it now. */
  readonly onHeld: () => void;
  /** Another tab asks for it: end everything; the lock is released when the promise settles. */
  readonly onAsked: () => Promise<void>;
};

/** This tab's claim on the wallet. */
export class TabLease {
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #listener: LeaseListener;
  #release: () => void = () => undefined;
  #held = false;
  #claiming = false;

  constructor(listener: LeaseListener) {
    this.#listener = listener;
    this.#channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data === GIVE_WAY && this.#held) void this.#giveWay();
    });
  }

  /** Takes the wallet as soon as it is free. */
  async claim(): Promise<void> {
    if (this.#claiming) return;
    this.#claiming = true;
    try {
      await this.#request();
    } finally {
      this.#claiming = false;
    }
  }

  async #request(): Promise<void> {
    const free = await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) =>
      lock === null ? false : this.#hold(),
    );
    if (free !== false) return;
    this.#listener.onWaiting();
    await navigator.locks.request(LOCK, () => this.#hold());
  }

  /** Asks the tab that has the wallet to end it there. */
  askForIt(): void {
    this.#channel.postMessage(GIVE_WAY);
  }

  #hold(): Promise<void> {
    this.#held = true;
    this.#listener.onHeld();
    return new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  async #giveWay(): Promise<void> {
    this.#held = false;
    try {
      await this.#listener.onAsked();
    } finally {
      this.#release();
    }
  }
}
