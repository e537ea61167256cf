/**
 * Metrics of a program in the text format 0.0.4 of Prometheus.
 *
 * A small one of our own: the library for it keeps a global registry and brings a tracing interface that nothing here uses, and the
 * format is a page long. Labels come from tables of this program, never from a request.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PLATFORM_LIMITS } from "../platformLimits.ts";

/** Labels of a series. */
export type Labels = Readonly<Record<string, string>>;

/** A number that is read when somebody asks, of one series. */
export type Sample = { readonly labels: Labels; readonly value: number };

/** Where the text says that it is this format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const NAME_FORM = /^[a-z][a-z0-9_]*$/;

type Metric = {
  readonly name: string;
  readonly help: string;
  readonly kind: "counter" | "gauge" | "histogram";
  /** Lines of the series: what follows the name, labels and value. */
  readonly series: () => readonly (Sample & { readonly suffix?: string })[];
};

/** The metrics of a program. Names are of small letters, digits and underscores; taken ones throw `internal/unexpected`. */
export class MetricRegistry {
  readonly #metrics = new Map<string, Metric>();

  /** A number that only grows, by labels. By custom its name ends with `_total`. */
  counter(name: string, help: string): Counter {
    const counter = new Counter();
    this.#add({ name, help, kind: "counter", series: () => counter.samples });
    return counter;
  }

  /** A number that only grows and is counted elsewhere: it is asked for each time. */
  total(name: string, help: string, read: () => number): void {
    this.#add({ name, help, kind: "counter", series: () => [{ labels: {}, value: read() }] });
  }

  /** A number that is asked for each time. Where there is none at the moment, `read` gives an empty list. */
  gauge(name: string, help: string, read: () => number | readonly Sample[]): void {
    const series = (): readonly Sample[] => {
      const found = read();
      return typeof found === "number" ? [{ labels: {}, value: found }] : found;
    };
    this.#add({ name, help, kind: "gauge", series });
  }

  /** Counts values by the buckets that they fit in; `bounds` are the upper ends, ascending. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const histogram = new Histogram(bounds);
    this.#add({ name, help, kind: "histogram", series: () => histogram.samples });
    return histogram;
  }

  /** All metrics as text. Throws what a gauge throws. */
  text(): string {
    const lines: string[] = [];
    for (const { name, help, kind, series } of this.#metrics.values()) {
      lines.push(`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${kind}`);
      for (const { labels, value, suffix = "" } of series()) {
        lines.push(`${name}${suffix}${labelText(labels)} ${numberText(value)}`);
      }
    }
    return `${lines.join("\n")}\n`;
  }

  #add(metric: Metric): void {
    if (!NAME_FORM.test(metric.name) || this.#metrics.has(metric.name)) {
      throw new SvcError("internal/unexpected", { message: `the metric ${metric.name}` });
    }
    this.#metrics.set(metric.name, metric);
  }
}

/** A number that only grows, one for each set of labels. */
export class Counter {
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>();

  /** Adds to the series of these labels. */
  add(labels: Labels = {}, by = 1): void {
    const key = labelText(labels);
    const series = this.#series.get(key);
    if (series !== undefined) series.value += by;
    else if (this.#series.size < PLATFORM_LIMITS.metricSeries) {
      this.#series.set(key, { labels, value: by });
    }
  }

  /** The numbers. */
  get samples(): readonly Sample[] {
    return [...this.#series.values()];
  }
}

/** Values by the buckets that they fit in. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  /** Counts a value. */
  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    for (const [index, bound] of this.#bounds.entries()) {
      if (value <= bound) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    }
  }

  /** Buckets, each with all values below its end, then their sum and their number. */
  get samples(): readonly (Sample & { readonly suffix: string })[] {
    const bucket = (le: string, value: number) => ({ suffix: "_bucket", labels: { le }, value });
    return [
      ...this.#bounds.map((bound, index) => bucket(numberText(bound), this.#counts[index] ?? 0)),
      bucket("+Inf", this.#count),
      { suffix: "_sum", labels: {}, value: this.#sum },
      { suffix: "_count", labels: {}, value: this.#count },
    ];
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${quoted(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function quoted(text: string): string {
  return escaped(text).replaceAll('"', '\\"');
}
