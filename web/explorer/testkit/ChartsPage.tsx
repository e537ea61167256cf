/** Component: a page for tests that holds the charts and nothing else. */
import type { WorkPoint } from "@svc/shared/explorer/charts/workSeries.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { EmissionCharts } from "../charts/EmissionCharts.tsx";
import { WorkCharts } from "../charts/WorkCharts.tsx";

const HOUR = 3_600;
const FIRST = 1_795_000_000;
const BINS = 168;
const EMPTY = 40;

/** A week of made-up bins, one of them without blocks. */
const POINTS: readonly WorkPoint[] = Array.from({ length: BINS }, (_, at) => {
  const blocks = at === EMPTY ? 0 : HOUR + ((at * 37) % 200) - 100;
  const difficulty = blocks === 0 ? 0 : 80_000_000 + ((at * 91) % 40) * 1_000_000;
  const bps = blocks / HOUR;
  return {
    t: FIRST + at * HOUR,
    difficulty,
    bps,
    hashrate: 2 * difficulty * bps,
    blocks,
    reds: blocks === 0 ? 0 : (at * 13) % 60,
    transactions: (at * 7) % 90,
  };
});

/** The page. */
export function ChartsPage(props: { locale: PageLocale }) {
  const path = "/api/info/work-history";
  return (
    <main class="charts-page">
      <h1>Charts</h1>
      <h2>Over time</h2>
      <WorkCharts
        locale={props.locale}
        points={POINTS}
        binSeconds={HOUR}
        jsonHref={`${path}?window=7d`}
        csvHref={`${path}.csv?window=7d`}
      />
      <h2>Emission</h2>
      <EmissionCharts
        locale={props.locale}
        daaScore={1_276_152}
        currentAmount={56.63245875}
        circulatingSupply="7500000000000000"
        halvingHref="/api/info/halving"
        supplyHref="/api/info/coinsupply"
      />
      <EmissionCharts
        locale={props.locale}
        daaScore={1_276_152}
        currentAmount={1}
        circulatingSupply="1"
        halvingHref="/api/info/halving"
        supplyHref="/api/info/coinsupply"
      />
    </main>
  );
}
