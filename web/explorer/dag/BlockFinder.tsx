/** Component: finds a block of the drawn graph by the beginning of its hash. The server is not asked and learns nothing. */
import { createSignal } from "solid-js";
import type { Dag } from "./createDag.ts";
import type { DagTexts } from "./dagTexts.ts";

const HASH_DIGITS = 64;

/** The form. */
export function BlockFinder(props: { dag: Dag; texts: DagTexts }) {
  const [isMissing, setMissing] = createSignal(false);
  const find = (typed: string): void => {
    const start = typed.trim().toLowerCase();
    const all = [...props.dag.session.layout.all()];
    const found = start === "" ? undefined : all.find(({ block }) => block.hash.startsWith(start));
    setMissing(found === undefined);
    if (found !== undefined) props.dag.canvas()?.show(found.block.hash);
  };
  return (
    <form
      class="dag-find"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get("hash");
        if (typeof typed === "string") find(typed);
      }}
    >
      <label>
        <span>{props.texts.find}</span>
        <input
          name="hash"
          type="text"
          inputmode="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxlength={HASH_DIGITS}
          aria-invalid={isMissing()}
        />
      </label>
      <button type="submit" class="dag-button">
        {props.texts.findButton}
      </button>
      <p class="dag-find-note" role="status">
        {isMissing() ? props.texts.notHere : ""}
      </p>
    </form>
  );
}
