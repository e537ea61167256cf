/** Component: a button that copies a text. It is there once the page's script runs. */
import { createCopy } from "../../clipboard/createCopy.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { useFrame } from "../frame/pageFrame.ts";

/** The button. It says in words whether it copied. */
export function CopyText(props: { text: string; label?: string }) {
  const { t } = useFrame().texts;
  const { state, copy } = createCopy(() => props.text, PAGE_LIMITS.copiedMs);
  const label = () => {
    if (state() === "done") return t("copy.done");
    return state() === "refused" ? t("copy.refused") : (props.label ?? t("copy.copy"));
  };
  return (
    <button type="button" class="quiet scripted" onClick={copy}>
      <span aria-live="polite">{label()}</span>
    </button>
  );
}
