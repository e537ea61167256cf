/** Component: says that a newer build of the pages is kept and waits, and loads it. */
import { Show } from "solid-js";
import { t } from "../i18n/translate.ts";
import { isNewer, loadNewest } from "../state/keptPages.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

/** Nothing while this is the newest build that is known. */
export function UpdateNotice() {
  return (
    <Show when={isNewer()}>
      <Notice kind="info" title={t("start.newer")}>
        <p>{t("start.newerText")}</p>
        <Button onClick={() => void loadNewest()}>{t("start.newerLoad")}</Button>
      </Notice>
    </Show>
  );
}
