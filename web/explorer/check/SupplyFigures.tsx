/** Component: the figures of a supply audit, and what no shielded chain can show. */
import { For, Show } from "solid-js";
import type { SupplyReport } from "./checkReport.ts";
import type { CheckTexts } from "./checkTexts.ts";

/** The figures. */
export function SupplyFigures(props: { texts: CheckTexts; report: SupplyReport }) {
  const t = () => props.texts.t;
  const rows = () => {
    const { figures, at } = props.report;
    if (figures === null || at === null) return [];
    const { coins, count } = props.texts;
    return [
      { label: t()("audit.block"), value: at.block, isMono: true },
      { label: t()("audit.daaScore"), value: count(at.daaScore) },
      { label: t()("audit.minted"), note: t()("audit.mintedNote"), value: coins(figures.minted) },
      { label: t()("audit.fees"), value: coins(figures.fees) },
      { label: t()("audit.pool"), value: coins(figures.pool) },
      { label: t()("audit.scheduled"), value: coins(figures.scheduled) },
      { label: t()("audit.carriedFee"), value: coins(figures.carriedFee) },
      { label: t()("audit.slot"), value: coins(figures.slot) },
      { label: t()("audit.unexplained"), value: coins(figures.unexplained) },
      { label: t()("audit.notes"), value: count(figures.noteCount) },
      {
        label: t()("audit.key"),
        note: t()("audit.keyNote"),
        value: figures.verifyingKey,
        isMono: true,
      },
    ];
  };
  return (
    <>
      <dl class="check-facts" data-testid="audit-figures">
        <For each={rows()}>
          {({ label, note, value, isMono }) => (
            <div>
              <dt>{label}</dt>
              <dd>
                <span class={isMono ? "mono" : "number"}>{value}</span>
                <Show when={note}>{(text) => <p class="check-note">{text()}</p>}</Show>
              </dd>
            </div>
          )}
        </For>
      </dl>
      <p>{t()("audit.limit")}</p>
    </>
  );
}
