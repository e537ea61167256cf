/** Component: says that the core is still on its way, or did not come, and loads it again. */
import { createSignal, Match, onCleanup, Switch } from "solid-js";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { t } from "../../i18n/translate.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** Nothing where it is there. */
export function CoreNotice() {
  const { snapshot, wallet } = useWallet();
  const isSlow = createSlow();
  return (
    <Switch>
      <Match when={snapshot.core.state === "loading"}>
        <Notice kind={isSlow() ? "warning" : "info"}>
          <p>{t(isSlow() ? "start.slow" : "start.loading")}</p>
        </Notice>
      </Match>
      <Match when={snapshot.core.state === "failed" && snapshot.core.problem}>
        {(problem) => (
          <Notice kind="error" title={t("start.failed")}>
            <p>{sentenceOf(problem())}</p>
            <Button onClick={() => void wallet.retryCore()}>{t("start.again")}</Button>
          </Notice>
        )}
      </Match>
    </Switch>
  );
}

/** Whether the program has been waited for long. */
function createSlow(): () => boolean {
  const [isSlow, setSlow] = createSignal(false);
  const timer = setTimeout(() => setSlow(true), PAGE_LIMITS.coreSlowMs);
  onCleanup(() => clearTimeout(timer));
  return isSlow;
}
