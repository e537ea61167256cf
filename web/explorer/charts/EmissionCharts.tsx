/** Component: what blocks mint and how many coins there are by the schedule, with the place that the chain has reached. */
import { Show } from "solid-js";
import {
  emissionSteps,
  MAINNET_EMISSION,
  scheduledSubsidy,
  type EmissionParameters,
} from "@svc/shared/explorer/charts/emissionCurve.ts";
import type { ChartSeries } from "@svc/shared/explorer/charts/workSeries.ts";
import { SOMPI_PER_COIN } from "@svc/shared/base/money.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { CHART_TEXTS } from "./chartTexts.ts";
import { valueWriter } from "./chartForm.ts";
import { TimeChart } from "./TimeChart.tsx";

/** Steps that are drawn: two years and some months, the drop of the tail among them. */
const STEPS = 120;

/** The documents behind the charts, as far as they are read. */
export type EmissionChartsProps = {
  locale: PageLocale;
  /** Of `/info/halving`. */
  daaScore: number;
  currentAmount: number;
  /** Sompi as decimal text, of `/info/coinsupply`. */
  circulatingSupply: string;
  parameters?: EmissionParameters;
  halvingHref: string;
  supplyHref: string;
};

/** The two charts; none for a network whose blocks mint something else than the schedule says. */
export function EmissionCharts(props: EmissionChartsProps) {
  const texts = () => CHART_TEXTS[props.locale];
  const parameters = () => props.parameters ?? MAINNET_EMISSION;
  const isScheduled = () => {
    const planned = coinsOf(scheduledSubsidy(parameters(), BigInt(props.daaScore)));
    return Math.abs(planned - props.currentAmount) < 1 / Number(SOMPI_PER_COIN);
  };
  const coins = (value: number) => valueWriter("coins", props.locale)(value);
  const supply = () => coinsOf(BigInt(props.circulatingSupply));
  return (
    <Show when={isScheduled()} fallback={<p class="note">{texts().otherSchedule}</p>}>
      <TimeChart
        title={texts().subsidy}
        note={texts().emissionNote}
        locale={props.locale}
        axis="score"
        kind="coins"
        series={subsidySeries(parameters())}
        mark={{
          x: props.daaScore,
          value: props.currentAmount,
          label: `${texts().here}: ${coins(props.currentAmount)}`,
        }}
        jsonHref={props.halvingHref}
      />
      <TimeChart
        title={texts().supply}
        note={texts().scheduleNote}
        locale={props.locale}
        axis="score"
        kind="coins"
        series={supplySeries(parameters())}
        mark={{
          x: props.daaScore,
          value: supply(),
          label: `${texts().here}: ${coins(supply())}`,
        }}
        jsonHref={props.supplyHref}
      />
    </Show>
  );
}

/** Each step as two points, so that the fall between them is upright. */
function subsidySeries(parameters: EmissionParameters): ChartSeries {
  const steps = emissionSteps(parameters, STEPS);
  const points = steps.flatMap(({ daaScore, subsidy }, index) => {
    const end = steps[index + 1]?.daaScore;
    const value = coinsOf(subsidy);
    return [
      { x: Number(daaScore), value },
      ...(end === undefined ? [] : [{ x: Number(end) - 1, value }]),
    ];
  });
  return { xs: points.map(({ x }) => x), values: points.map(({ value }) => value) };
}

function supplySeries(parameters: EmissionParameters): ChartSeries {
  const steps = emissionSteps(parameters, STEPS);
  return {
    xs: steps.map(({ daaScore }) => Number(daaScore)),
    values: steps.map(({ minted }) => coinsOf(minted)),
  };
}

/** Coins for display: a drawing needs no more digits than a pixel shows. */
function coinsOf(sompi: bigint): number {
  return Number(sompi) / Number(SOMPI_PER_COIN);
}
