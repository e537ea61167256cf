/** Tells a hosted gateway the operator's prices, again and again: each has its source and time, and grows old where no newer one comes. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { PricePort } from "@svc/shared/gateway/pricePort.ts";
import { encodeToldRates } from "@svc/shared/gateway/toldRates.ts";
import type { Log } from "../../platform/log/log.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { postHosted, type HostedParts } from "./hostedPost.ts";
import { hostedRefusal } from "./hostedRefusal.ts";

/** Dependencies. */
export type RateTellerParts = HostedParts & {
  readonly prices: Pick<PricePort, "rates">;
  readonly log: Pick<Log, "warn">;
};

const RATES_PATH = "/ingest/v1/rates";
const TAKEN = 200;

/** A teller. */
export class RateTeller {
  readonly #parts: RateTellerParts;
  readonly #life = new AbortController();
  #run: Promise<void> | null = null;
  #isAway = false;

  constructor(parts: RateTellerParts) {
    this.#parts = parts;
  }

  /** Begins to tell. */
  start(): void {
    this.#run ??= this.#loop(this.#life.signal);
  }

  /** Ends; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#run;
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      try {
        await this.#tell(signal);
        this.#isAway = false;
      } catch (thrown) {
        if (signal.aborted) return;
        if (!this.#isAway) {
          log.warn({ err: SvcError.from(thrown) }, "the hosted gateway took no prices");
        }
        this.#isAway = true;
      }
      await clock.sleep(GATEWAY_LIMITS.pushRatesMs, signal).catch(() => undefined);
    }
  }

  async #tell(signal: AbortSignal): Promise<void> {
    const rates = await this.#parts.prices.rates();
    if (rates.length === 0) return;
    const json = encodeToldRates(rates);
    const answer = await postHosted(this.#parts, { path: RATES_PATH, id: "rates", json }, signal);
    if (answer.status !== TAKEN) throw hostedRefusal(answer);
  }
}
