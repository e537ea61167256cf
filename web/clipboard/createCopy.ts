/** A press that copies a text, and what is said of it, for the component that is being set up. */
import { createSignal, onCleanup, type Accessor } from "solid-js";
import { copyText } from "./copyText.ts";

/** How the last press ended; `idle` once that has been said for long enough. */
export type CopyState = "idle" | "done" | "refused";

/** Makes it. `saidMs`: for how long it is said. */
export function createCopy(
  text: () => string,
  saidMs: number,
): { readonly state: Accessor<CopyState>; readonly copy: () => void } {
  const [state, setState] = createSignal<CopyState>("idle");
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  const copy = () => {
    void copyText(text()).then((isCopied) => {
      setState(isCopied ? "done" : "refused");
      clearTimeout(timer);
      timer = setTimeout(() => setState("idle"), saidMs);
    });
  };
  return { state, copy };
}
