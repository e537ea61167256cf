/** Metrics as text, read back by a parser. */
import { describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { readMetrics } from "../testkit/readMetrics.ts";
import { MetricRegistry } from "./metricRegistry.ts";

describe("a registry", () => {
  it("writes counters, gauges and histograms that a parser reads", () => {
    const registry = new MetricRegistry();
    const counter = registry.counter("a_total", "Back\\slash,\nand a line.");
    const histogram = registry.histogram("b_seconds", "Seconds.", [0.5, 1, 10]);
    registry.gauge("c", "Three.", () => [
      { labels: { state: "x" }, value: 3 },
      { labels: { state: 'say "y\\z"\nthen' }, value: -0.25 },
    ]);
    registry.gauge("d", "None at the moment.", () => []);
    registry.gauge("e", "Large.", () => 1e21);
    registry.total("f_total", "Counted elsewhere.", () => 6);
    counter.add();
    counter.add({ row: "r" }, 2);
    counter.add({ row: "r" });
    for (const value of [0.5, 0.75, 4, 400]) histogram.observe(value);
    const bucket = (le: string, value: number) => ({
      name: "b_seconds_bucket",
      labels: { le },
      value,
    });
    expect(registry.text()).toContain("\n# TYPE f_total counter\n");
    expect(readMetrics(registry.text())).toEqual([
      { name: "a_total", labels: {}, value: 1 },
      { name: "a_total", labels: { row: "r" }, value: 3 },
      ...[bucket("0.5", 1), bucket("1", 2), bucket("10", 3), bucket("+Inf", 4)],
      { name: "b_seconds_sum", labels: {}, value: 405.25 },
      { name: "b_seconds_count", labels: {}, value: 4 },
      { name: "c", labels: { state: "x" }, value: 3 },
      { name: "c", labels: { state: 'say "y\\z"\nthen' }, value: -0.25 },
      { name: "e", labels: {}, value: 1e21 },
      { name: "f_total", labels: {}, value: 6 },
    ]);
  });

  it("counts a bounded number of series", () => {
    const registry = new MetricRegistry();
    const counter = registry.counter("a_total", "Many.");
    const most = PLATFORM_LIMITS.metricSeries;
    for (let row = 0; row < most + 10; row += 1) counter.add({ row: String(row) });
    counter.add({ row: "0" });
    const read = readMetrics(registry.text());
    expect([read.length, read[0]?.value]).toEqual([most, 2]);
  });

  it("takes a name once, and no other form of names", () => {
    const registry = new MetricRegistry();
    registry.counter("a", "First.");
    for (const name of ["a", "", "A", "1a", "a-b", "a b"]) {
      expect(
        codeOf(() => registry.counter(name, "Second.")),
        name,
      ).toBe("internal/unexpected");
    }
  });
});
