/**
 * Exclusive lease of the wallet for one browser tab at a time (specification wallet 4.7): a Web Lock decides, a channel
 * asks the holder to give way. The lock ends with its tab, so a crash never leaves it behind.
 */
const LOCK = "svc-wallet";
const CHANNEL = "svc-wallet-tabs";
/** Asks the holder, who may refuse in the middle of a payment; tells it; the refusal. */
const GIVE_WAY = "give-way";
const GIVE_WAY_NOW = "give-way-now";
const PAYING = "paying";
/** The tab that says so has the wallet now. */
const TAKEN = "taken";

/** Callbacks of the lease, as its holder changes. */
export type LeaseListener = {
  /** Another tab has it; this one waits. */
  readonly onWaiting: () => void;
  /** Another tab has it now than before. */
  readonly onTaken: () => void;
  /** This tab has it now. */
  readonly onHeld: () => void;
  /** False while leaving would cancel what this tab is doing: then only a second, firmer request is followed. */
  readonly mayLeave: () => boolean;
  /** The tab that has it refused, because it is making a payment. */
  readonly onRefused: () => void;
  /** Another tab asks for it: end everything; the lock is released when the promise settles. */
  readonly onAsked: () => Promise<void>;
};

/** The lease of this tab. */
export class TabLease {
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #listener: LeaseListener;
  #release: () => void = () => undefined;
  #held = false;
  #claiming = false;
  /** This tab's place among those that wait. */
  #place: AbortController | null = null;

  constructor(listener: LeaseListener) {
    this.#listener = listener;
    this.#channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data === PAYING && !this.#held) this.#listener.onRefused();
      if (data === TAKEN && !this.#held) this.#listener.onTaken();
      if (data !== GIVE_WAY && data !== GIVE_WAY_NOW) return;
      // Who asks for it comes before those that merely wait: they go to the end.
      this.#place?.abort();
      if (!this.#held) return;
      if (data === GIVE_WAY_NOW || this.#listener.mayLeave()) void this.#giveWay();
      else this.#channel.postMessage(PAYING);
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
    while (!(await this.#wait())) this.#place = null;
  }

  /** Waits for its turn. False when it has to wait anew, behind another tab. */
  async #wait(): Promise<boolean> {
    const place = new AbortController();
    this.#place = place;
    let isHeld = false;
    const hold = () => {
      isHeld = true;
      this.#place = null;
      return this.#hold();
    };
    try {
      await navigator.locks.request(LOCK, { signal: place.signal }, hold);
    } catch (error) {
      if (isHeld || !place.signal.aborted) throw error;
    }
    return isHeld;
  }

  /** Asks the tab that has the wallet to end it there; `force` ends a payment with it. */
  askForIt(force: boolean): void {
    this.#channel.postMessage(force ? GIVE_WAY_NOW : GIVE_WAY);
  }

  #hold(): Promise<void> {
    this.#held = true;
    this.#channel.postMessage(TAKEN);
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
