/** Component: the charts over time of the document `/info/work-history`: hash rate, difficulty, block rate, red share, payments. */
import { For } from "solid-js";
import {
  WORK_FIELDS,
  workSeries,
  type WorkField,
  type WorkPoint,
} from "@svc/shared/explorer/charts/workSeries.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { spanText, type ValueKind } from "./chartForm.ts";
import { CHART_TEXTS } from "./chartTexts.ts";
import { TimeChart } from "./TimeChart.tsx";

const KINDS: Readonly<Record<WorkField, ValueKind>> = {
  hashrate: "hashrate",
  difficulty: "number",
  bps: "rate",
  redShare: "share",
  transactions: "number",
};

/** Data of the charts. */
export type WorkChartsProps = {
  locale: PageLocale;
  points: readonly WorkPoint[];
  /** Seconds of a point. */
  binSeconds: number;
  /** Addresses of the document. */
  jsonHref: string;
  csvHref: string;
};

/** The charts, one for each field. */
export function WorkCharts(props: WorkChartsProps) {
  return <For each={WORK_FIELDS}>{(field) => <WorkChart {...props} field={field} />}</For>;
}

/** One of them. */
export function WorkChart(props: WorkChartsProps & { field: WorkField }) {
  const texts = () => CHART_TEXTS[props.locale];
  const note = () => {
    if (props.field === "hashrate") return texts().estimate;
    if (props.field !== "transactions") return "";
    return texts().perBin(spanText(props.binSeconds, props.locale));
  };
  return (
    <TimeChart
      title={texts()[props.field]}
      note={note()}
      locale={props.locale}
      kind={KINDS[props.field]}
      fromZero={props.field !== "difficulty"}
      series={workSeries(props.points, props.field)}
      jsonHref={props.jsonHref}
      csvHref={props.csvHref}
    />
  );
}
