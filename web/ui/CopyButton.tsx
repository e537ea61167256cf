/** Component: a button that copies a text to the clipboard. */
import { createCopy } from "../clipboard/createCopy.ts";
import { t } from "../i18n/translate.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { Button } from "./Button.tsx";

/** Copies a text and says so, in words too. */
export function CopyButton(props: {
  text: string;
  label?: string;
  kind?: "secondary" | "quiet" | "primary";
}) {
  const { state, copy } = createCopy(() => props.text, PAGE_LIMITS.copiedMs);
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
