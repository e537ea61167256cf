/** Reader of the shop's deposit feed while daemons come and go. */
import type { RouteResult } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { isPassing, options, SHOP, type WalletdScene } from "../walletd/walletdScene.ts";

/** Event of the feed. */
export type DepositEvent = RouteResult<"events">["events"][number];

/** Seconds that a question for events waits. */
const WAIT_SECONDS = 1;

/** All of a wallet's feed, page by page. */
export async function wholeFeed(of: WalletdScene, token: string): Promise<readonly DepositEvent[]> {
  const all: DepositEvent[] = [];
  for (let after = 0n; ;) {
    const { events, next, more } = await of
      .client(token)
      .events({ after, limit: "100" }, options());
    all.push(...events);
    if (!more) return all;
    after = BigInt(next);
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
