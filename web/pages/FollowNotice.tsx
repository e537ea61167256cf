/** Component: says that another tab has the wallet, with the button that takes it. */
import { Show } from "solid-js";
import { t } from "../i18n/translate.ts";
import { isPaying } from "../state/isPaying.ts";
import { useWallet } from "../state/walletContext.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

/** Nothing in the tab that has the wallet. In the middle of a payment that tab gives way only when asked a second time. */
export function FollowNotice() {
  const { snapshot, wallet } = useWallet();
  return (
    <Show when={snapshot.tabs.following}>
      <Show
        when={snapshot.otherTabPays && isPaying(snapshot)}
        fallback={
          <Notice
            kind="info"
            title={t(snapshot.access === "moved" ? "app.movedTitle" : "app.elsewhereTitle")}
          >
            <p>{t("tabs.followText")}</p>
            <Button onClick={() => void wallet.takeOver(false)}>{t("app.elsewhereTake")}</Button>
          </Notice>
        }
      >
        <Notice kind="warning" title={t("app.otherPaysTitle")}>
          <p>{t("app.otherPaysText")}</p>
          <Button kind="danger" onClick={() => void wallet.takeOver(true)}>
            {t("app.otherPaysTake")}
          </Button>
        </Notice>
      </Show>
    </Show>
  );
}
