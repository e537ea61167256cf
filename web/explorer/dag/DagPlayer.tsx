/** Component: the block graph, live or replayed, with its controls. A list beside it says the same in rows. */
import { Show } from "solid-js";
import { BlockFinder } from "./BlockFinder.tsx";
import { createDag, type DagOptions } from "./createDag.ts";
import { DagLegend } from "./DagLegend.tsx";
import { DAG_TEXTS } from "./dagTexts.ts";
import { FocusedBlock } from "./FocusedBlock.tsx";
import { ReplayControls } from "./ReplayControls.tsx";
import "./dag.css";

/** The graph. Its options are read once: another moment is another graph. */
export function DagPlayer(props: { options: DagOptions }) {
  const { options } = props;
  const texts = DAG_TEXTS[options.locale];
  const dag = createDag(options);
  const note = () => {
    const status = dag.status();
    if (status.isFailing) return texts.failing;
    if (status.isWaiting) return texts.waiting;
    if (status.isIncomplete) return texts.incomplete;
    return status.seen === 0 ? texts.nothing : "";
  };
  return (
    <section class="dag" data-mode={dag.status().mode} data-seen={dag.status().seen}>
      <ReplayControls
        dag={dag}
        texts={texts}
        locale={options.locale}
        isReplay={options.moment !== null}
      />
      <div
        class="dag-stage"
        tabindex="0"
        role="application"
        aria-label={texts.graph}
        aria-describedby="dag-help"
        onKeyDown={(event) => {
          const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
          if (isPlain && dag.press(event.key)) event.preventDefault();
        }}
      >
        <canvas class="dag-canvas" aria-hidden="true" ref={dag.drawOn} />
        <Show when={note()}>
          <p class="dag-note">{note()}</p>
        </Show>
      </div>
      <p class="visually-hidden" id="dag-help">
        {texts.help}
      </p>
      <p class="visually-hidden" aria-live="polite" data-testid="dag-said">
        {dag.said()}
      </p>
      <FocusedBlock dag={dag} options={options} />
      <div class="dag-foot">
        <DagLegend texts={texts} />
        <BlockFinder dag={dag} texts={texts} />
      </div>
    </section>
  );
}
