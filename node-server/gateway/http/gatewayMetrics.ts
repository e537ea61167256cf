/**
 * What the gateway tells of itself to a monitor: how far its scan is, how busy it is, what waits. No metric has a merchant, an invoice,
 * an address or an amount.
 */
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { MetricRegistry, type Sample } from "../../platform/metrics/metricRegistry.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** What the server needs of them. */
export type ServerMetrics = {
  /** All metrics as text. */
  text(): string;
  /** A request was answered. */
  answered(status: number): void;
};

/** Whose numbers are told, besides those that are counted as they happen. */
export type GatewayMetricSources = {
  readonly chain: {
    readonly lagMs: bigint | null;
    readonly problem: SvcError | null;
    readonly keyCount: number;
  };
  readonly store: {
    readonly invoices: { due(nowMs: bigint, limit: number): readonly unknown[] };
    readonly deliveries: {
      due(
        nowMs: TimestampMs,
        limit: number,
      ): readonly { readonly row: { readonly dueMs: bigint } }[];
    };
  };
  /** Streams of checkout pages. */
  readonly watch: { readonly count: number };
};

const MS_PER_SECOND = 1_000;

/** The metrics of a gateway. */
export class GatewayMetrics implements ServerMetrics {
  readonly #registry = new MetricRegistry();
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #answers = this.#registry.counter(
    "svc_gateway_http_requests_total",
    "Requests answered, by status.",
  );
  readonly #invoices = this.#registry.counter("svc_gateway_invoices_total", "Invoices made.");

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
    this.#registry.gauge("process_resident_memory_bytes", "Resident memory.", () =>
      process.memoryUsage.rss(),
    );
  }

  text(): string {
    return this.#registry.text();
  }

  answered(status: number): void {
    this.#answers.add({ status: String(status) });
  }

  /** An invoice was made. */
  made(): void {
    this.#invoices.add();
  }

  /** Adds the numbers that are read when somebody asks. Once for a gateway. */
  watch({ chain, store, watch }: GatewayMetricSources): void {
    const gauge = this.#registry.gauge.bind(this.#registry);
    const seen = GATEWAY_LIMITS.metricRows;
    gauge("svc_gateway_scan_age_seconds", "Seconds since the scan was at the node's tip.", () =>
      ifKnown(chain.lagMs, (age) => Number(age) / MS_PER_SECOND),
    );
    gauge("svc_gateway_scan_faulty", "1 while something keeps the scan from going on.", () =>
      chain.problem === null ? 0 : 1,
    );
    gauge(
      "svc_gateway_viewing_keys",
      "Viewing keys that payments are looked for with.",
      () => chain.keyCount,
    );
    gauge("svc_gateway_streams", "Checkout pages that watch an invoice.", () => watch.count);
    gauge(
      "svc_gateway_invoices_overdue",
      `Invoices whose time has come and that were not looked at since; at most ${seen} are counted.`,
      () => store.invoices.due(this.#clock.nowMs(), seen).length,
    );
    const due = () => store.deliveries.due(asTimestampMs(this.#clock.nowMs()), seen);
    gauge(
      "svc_gateway_webhooks_due",
      `Webhooks that are to be sent now; at most ${seen} are counted.`,
      () => due().length,
    );
    gauge("svc_gateway_webhook_delay_seconds", "Seconds that the oldest of these is late.", () =>
      due()
        .slice(0, 1)
        .map(({ row }) => ({
          labels: {},
          value: Number(this.#clock.nowMs() - row.dueMs) / MS_PER_SECOND,
        })),
    );
  }
}

/** The number that follows from what is known; no sample while it is not. */
function ifKnown<T>(known: T | null, numberOf: (known: T) => number): readonly Sample[] {
  return known === null ? [] : [{ labels: {}, value: numberOf(known) }];
}
