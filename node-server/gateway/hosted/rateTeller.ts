/** Tells a hosted gateway the operator's prices, again and again: each has its source and time, and grows old where no newer one comes. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { PricePort } from "@svc/shared/gateway/pricePort.ts";
import { encodeToldRates } from "@svc/shared/gateway/toldRates.ts";
import type { Log } from "../../platform/log/log.ts";
import { Repeater } from "../../platform/time/repeater.ts";
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
  readonly #repeater: Repeater;
  #isAway = false;

  constructor(parts: RateTellerParts) {
    this.#parts = parts;
    this.#repeater = new Repeater({
      work: (signal) => this.#tell(signal),
      pauseMs: GATEWAY_LIMITS.pushRatesMs,
      clock: parts.clock,
      onError: (thrown) => this.#failed(thrown),
    });
  }

  /** Begins to tell. */
  start(): void {
    this.#repeater.start();
  }

  /** Ends; resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#repeater.stop();
  }

  /** Said once, until prices were taken again. */
  #failed(thrown: unknown): void {
    if (!this.#isAway) {
      this.#parts.log.warn({ err: SvcError.from(thrown) }, "the hosted gateway took no prices");
    }
    this.#isAway = true;
  }

  async #tell(signal: AbortSignal): Promise<void> {
    const rates = await this.#parts.prices.rates();
    if (rates.length > 0) {
      const told = { path: RATES_PATH, id: "rates", json: encodeToldRates(rates) };
      const answer = await postHosted(this.#parts, told, signal);
      if (answer.status !== TAKEN) throw hostedRefusal(answer);
    }
    this.#isAway = false;
  }
}
