/** Component: from where on the index knows everything, so that nobody takes what is missing for nothing. */
import { Show } from "solid-js";
import { Readable } from "./Panel.tsx";
import { useFrame } from "../frame/pageFrame.ts";

/** The note; nothing where the index is whole. */
export function CoverageNote() {
  const { store, texts } = useFrame();
  const index = () => store.read("index", "/info/index").body;
  const text = () => {
    const known = index();
    if (known === null || known.isComplete) return null;
    if (known.coveredFrom === null) return texts.t("coverage.nothing");
    const from = texts.t("coverage.from", {
      score: texts.count(known.coveredFrom.daaScore),
      time: texts.dateTime(Number(known.coveredFrom.timestamp)),
    });
    if (!known.isRebuilding) return from;
    return `${from} ${texts.t("coverage.rebuilding", { percent: texts.percent(known.progress) })}`;
  };
  return (
    <Readable of={index}>
      <Show when={text()}>{(words) => <p class="note coverage">{words()}</p>}</Show>
    </Readable>
  );
}
