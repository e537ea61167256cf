/** Component: a block's proved place on the chain, in one line above the steps. */
import { Show } from "solid-js";
import type { CheckStep } from "../checkReport.ts";
import { chainWords, type ChainTexts } from "./chainWords.ts";

/** The lines; nothing for a report that says nothing of the chain. */
export function ChainLine(props: ChainTexts & { steps: readonly CheckStep[] }) {
  const words = () => chainWords(props.steps, props);
  return (
    <Show when={words()}>
      {(said) => (
        <div class="check-chain" data-testid="check-chain" data-outcome={said().outcome}>
          <p>{said().place}</p>
          <Show when={said().work}>
            {(work) => (
              <>
                <p>{work()}</p>
                <p class="check-note">{props.texts.t("chain.limit")}</p>
              </>
            )}
          </Show>
        </div>
      )}
    </Show>
  );
}
