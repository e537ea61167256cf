/** Component: the line that says which block the keyboard or the pointer is on, with a link to its page. Its height never changes. */
import { Show } from "solid-js";
import type { Dag, DagOptions } from "./createDag.ts";
import { DAG_TEXTS } from "./dagTexts.ts";
import { describeBlock } from "./describeDag.ts";

/** The line. */
export function FocusedBlock(props: { dag: Dag; options: DagOptions }) {
  const texts = () => DAG_TEXTS[props.options.locale];
  const numbers = () => new Intl.NumberFormat(props.options.locale);
  return (
    <p class="dag-focused">
      <Show
        when={props.dag.focused()}
        fallback={
          <>
            <span class="dag-help" data-for="keys">
              {texts().help}
            </span>
            <span class="dag-help" data-for="fingers">
              {texts().helpFingers}
            </span>
          </>
        }
      >
        {(placed) => (
          <>
            <span>
              {describeBlock(placed(), props.dag.session.layout, {
                texts: texts(),
                numbers: numbers(),
              })}
            </span>
            <a href={props.options.blockHref(placed().block.hash)}>{texts().open}</a>
          </>
        )}
      </Show>
    </p>
  );
}
