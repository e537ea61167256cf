/** Component: the place of what only a browser can draw. What stands inside of it says the same without a script, and stays. */
import { createSignal, onCleanup, onMount, Show, type JSX } from "solid-js";
import { mountPart, type PartName, type PartOptions } from "../mounts/mountedParts.ts";
import { Panel } from "./Panel.tsx";
import { useFrame } from "../frame/pageFrame.ts";

/** The place. The part is loaded once the page's script runs. */
export function PartPlace<Name extends PartName>(props: {
  part: Name;
  options: PartOptions<Name>;
  title: string;
  children?: JSX.Element;
}) {
  const frame = useFrame();
  const [hasFailed, setFailed] = createSignal(false);
  let place: HTMLDivElement | undefined;
  let end: (() => void) | null = null;
  let isGone = false;
  onMount(() => {
    const at = place;
    if (at === undefined) return;
    mountPart(props.part, at, props.options, frame).then(
      (ended) => {
        if (isGone) ended();
        else end = ended;
      },
      () => setFailed(true),
    );
  });
  onCleanup(() => {
    isGone = true;
    end?.();
  });
  return (
    <Panel title={props.title} id={props.part}>
      {props.children}
      <div class="part" data-part={props.part} ref={place} />
      <Show when={hasFailed()}>
        <p class="note">{frame.texts.t("part.failed")}</p>
      </Show>
    </Panel>
  );
}
