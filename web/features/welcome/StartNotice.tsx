/** Component: notice of the precondition that a new wallet still waits for, with the button that helps. */
import { Match, Switch } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { CoreNotice } from "./CoreNotice.tsx";
import { readinessOf } from "./readiness.ts";

/** Nothing where all is there. */
export function StartNotice() {
  const { snapshot, wallet } = useWallet();
  const now = () => readinessOf(snapshot);
  return (
    <div role="status">
      <Switch>
        <Match when={now() === "loading" || now() === "failed"}>
          <CoreNotice />
        </Match>
        <Match when={now() === "node"}>
          <Notice kind="info">
            <p>{t("network.waiting", { url: snapshot.node.url })}</p>
          </Notice>
          <ErrorNotice error={snapshot.node.problem} />
        </Match>
        <Match when={now() === "refused"}>
          <Notice kind="error" title={t("network.refusedTitle")}>
            <p>{t("network.refusedText")}</p>
          </Notice>
          <ErrorNotice error={snapshot.node.problem} />
        </Match>
        <Match when={now() === "consent" && snapshot.node.network}>
          {(network) => (
            <Notice kind="warning" title={t("network.privateTitle")}>
              <p>{t("network.privateText")}</p>
              <Facts
                rows={[
                  { label: t("network.name"), value: network().name },
                  { label: t("network.digest"), value: network().digest, mono: true },
                ]}
              />
              <Button onClick={() => void wallet.acceptNetwork(network().digest)}>
                {t("network.accept")}
              </Button>
            </Notice>
          )}
        </Match>
      </Switch>
    </div>
  );
}
