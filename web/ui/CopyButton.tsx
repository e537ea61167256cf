/** Component: a button that copies a text to the clipboard. */
import { createSignal, onCleanup } from "solid-js";
import { t } from "../i18n/translate.ts";
import { Button } from "./Button.tsx";

const SHOWN_MS = 1_600;

/** Copies a text and says so, in words too. */
export function CopyButton(props: {
  text: string;
  label?: string;
  kind?: "secondary" | "quiet" | "primary";
}) {
  const [state, setState] = createSignal<"idle" | "done" | "refused">("idle");
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));

  const show = (next: "done" | "refused") => {
    setState(next);
    clearTimeout(timer);
    timer = setTimeout(() => setState("idle"), SHOWN_MS);
  };
  const copy = () => {
    navigator.clipboard.writeText(props.text).then(
      () => show("done"),
      () => show("refused"),
    );
  };
  const label = () => {
    if (state() === "done") return t("copy.done");
    return state() === "refused" ? t("copy.refused") : (props.label ?? t("copy.copy"));
  };

  return (
    <Button
      kind={props.kind ?? "secondary"}
      icon={state() === "done" ? "check" : "copy"}
      onClick={copy}
    >
      <span aria-live="polite">{label()}</span>
    </Button>
  );
}
