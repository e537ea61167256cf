/** Page: work, block rate and reorganisations over time, each with its data as CSV and under an address that stays. */
import { For } from "solid-js";
import { CHART_WINDOWS, csvPathOf, type ChartWindow } from "@svc/shared/explorer/explorerPaths.ts";
import { WorkCharts } from "../charts/WorkCharts.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";
import { CoverageNote } from "../parts/CoverageNote.tsx";
import { CsvLinks } from "../parts/CsvLinks.tsx";
import { Panel, WithDocument } from "../parts/Panel.tsx";
import { ReorgTable } from "../parts/ReorgTable.tsx";
import { FactList } from "../parts/Stat.tsx";

const REORGS = "/info/reorgs?limit=50";

/** The page. */
export function Charts(props: { window: ChartWindow }) {
  const frame = useFrame();
  const { t } = frame.texts;
  const path = () => `/info/work-history?window=${props.window}`;
  return (
    <>
      <div class="page-head">
        <h1>{t("charts.title")}</h1>
        <p class="lead">{t("charts.lead")}</p>
      </div>
      <nav class="pager" aria-label={t("charts.windows")}>
        <For each={CHART_WINDOWS}>
          {(window) => (
            <a
              href={hrefOf(frame, { kind: "charts", window })}
              aria-current={window === props.window ? "true" : undefined}
            >
              {t(`window.${window}`)}
            </a>
          )}
        </For>
      </nav>
      <h2 class="visually-hidden">{t(`window.${props.window}`)}</h2>
      <WithDocument row="workHistory" path={path()} lines={24}>
        {(history) => (
          <div class="columns">
            <WorkCharts
              locale={frame.texts.locale}
              points={history().points}
              binSeconds={history().binSeconds}
              jsonHref={`${frame.apiBase}${path()}`}
              csvHref={`${frame.apiBase}${csvPathOf(path())}`}
            />
          </div>
        )}
      </WithDocument>
      <Panel title={t("reorg.title")}>
        <WithDocument row="reorgs" path={REORGS} lines={6}>
          {(reorgs) => (
            <>
              <FactList
                rows={[
                  { label: t("reorg.count"), value: frame.texts.count(reorgs().count) },
                  { label: t("reorg.deepest"), value: frame.texts.count(reorgs().maxDepth) },
                  {
                    label: t("reorg.watched"),
                    value: frame.texts.duration(reorgs().windowSeconds),
                  },
                ]}
              />
              <ReorgTable caption={t("reorg.title")} reorgs={reorgs().recent} />
            </>
          )}
        </WithDocument>
        <p class="note">{t("reorg.oneNode")}</p>
        <CsvLinks path={REORGS} />
      </Panel>
      <CoverageNote />
    </>
  );
}
