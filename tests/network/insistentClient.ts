/** Client of a wallet daemon that repeats each call with the same key until it is answered, and a reader of its deposit feed. */
import type { RouteResult } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { PATIENCE_MS } from "./networkSizes.ts";
import { untilSo } from "./nodeProcess.ts";
import { isPassing, options, PAYER, SHOP, type WalletdScene } from "./walletdScene.ts";

/** A payment that somebody wants once. */
export type WantedPayment = {
  readonly key: string;
  readonly to: string;
  readonly amount: bigint;
  readonly memo: string;
  /** Whether it is asked for as a job. */
  readonly isJob: boolean;
};

/** Answer of a payment. */
export type Sent = RouteResult<"send">;
/** Event of the feed. */
export type DepositEvent = RouteResult<"events">["events"][number];

/** Seconds that a question for events waits. */
const WAIT_SECONDS = 1;

/** Pays. */
export class InsistentClient {
  readonly #scene: WalletdScene;
  /** Jobs that it was told of, by key. */
  readonly jobs = new Map<string, string>();
  readonly answers = new Map<string, Sent>();

  constructor(scene: WalletdScene) {
    this.#scene = scene;
  }

  /** Repeats the call until it is answered. Rejects with what does not pass by itself. */
  async pay(wanted: WantedPayment): Promise<Sent> {
    let answer: Sent | null = null;
    await untilSo(async () => {
      try {
        answer = await this.#ask(wanted);
      } catch (thrown) {
        if (!isPassing(thrown)) throw thrown;
      }
      return answer !== null;
    }, PATIENCE_MS);
    if (answer === null) throw new Error("an answer was waited for");
    this.answers.set(wanted.key, answer);
    return answer;
  }

  async #ask({ key, to, amount, memo, isJob }: WantedPayment): Promise<Sent | null> {
    const client = this.#scene.client(PAYER);
    const status = await client.status(options());
    if (!status.spend_ready) return null;
    const body = { to, amount_sompi: amount, memo };
    const call = { ...options(), idempotencyKey: key };
    if (isJob && !this.jobs.has(key)) {
      this.jobs.set(key, await client.begin("send", body, call));
    }
    const job = this.jobs.get(key);
    if (job === undefined) return client.send(body, call);
    const { state, error } = await client.job(job, options());
    if (state === "failed" || state === "cancelled") throw new Error(JSON.stringify(error));
    return state === "done" ? client.send(body, call) : null;
  }
}

/** Reads the shop's events, each once, from where it stood. */
export class FeedReader {
  readonly events: DepositEvent[] = [];
  readonly #scene: WalletdScene;
  readonly #end = new AbortController();
  #cursor = 0n;
  #reading: Promise<void> = Promise.resolve();

  constructor(scene: WalletdScene) {
    this.#scene = scene;
  }

  /** Reads until it is stopped. */
  start(): void {
    this.#reading = this.#read();
    this.#reading.catch(() => undefined);
  }

  /** Stops; rejects with what did not pass by itself. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        const client = this.#scene.client(SHOP);
        const query = { after: this.#cursor, limit: "3", wait: String(WAIT_SECONDS) };
        const { events, next } = await client.events(query, { signal });
        this.events.push(...events);
        this.#cursor = BigInt(next);
      } catch (thrown) {
        if (signal.aborted) return;
        if (!isPassing(thrown)) throw thrown;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}
