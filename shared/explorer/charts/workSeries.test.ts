import { describe, expect, it } from "vitest";
import { REST_ROUTES } from "../../protocol/rest/restRoutes.ts";
import { spreadRows, WORK_FIELDS, workSeries, type WorkPoint } from "./workSeries.ts";

const point = (t: number, more: Partial<WorkPoint> = {}): WorkPoint => ({
  t,
  difficulty: 10,
  bps: 1,
  hashrate: 20,
  blocks: 300,
  reds: 3,
  transactions: 5,
  ...more,
});

describe("series of the work history", () => {
  it("are read from the document of the table, each field", () => {
    const { points } = REST_ROUTES.workHistory.example.answer;
    for (const field of WORK_FIELDS) {
      const { xs, values } = workSeries(points, field);
      expect(xs).toEqual([1_795_678_800]);
      expect(values[0]).toBeGreaterThan(0);
    }
    expect(workSeries(points, "redShare").values).toEqual([2 / 303]);
  });

  it("have a gap where no block was found, and a rate of zero", () => {
    const empty = point(2, {
      difficulty: 0,
      hashrate: 0,
      bps: 0,
      blocks: 0,
      reds: 0,
      transactions: 0,
    });
    expect(workSeries([point(1), empty], "hashrate").values).toEqual([20, null]);
    expect(workSeries([point(1), empty], "redShare").values).toEqual([0.01, null]);
    expect(workSeries([point(1), empty], "bps").values).toEqual([1, 0]);
  });

  it("rise, whatever a server sends", () => {
    expect(workSeries([point(5), point(5), point(3), point(9)], "bps").xs).toEqual([5, 9]);
  });

  it("are spread over the rows of a table, the newest among them", () => {
    const series = workSeries(
      Array.from({ length: 100 }, (_, index) => point(index + 1)),
      "bps",
    );
    const rows = spreadRows(series, 10);
    expect(rows.map(({ x }) => x)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(spreadRows(series, 500)).toHaveLength(100);
    expect(spreadRows({ xs: [], values: [] }, 10)).toEqual([]);
  });
});
