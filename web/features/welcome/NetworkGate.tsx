import { Match, Switch, type JSX } from "solid-js";
import { Gate, GateActions } from "../../app/Gate.tsx";
import { Message } from "../../app/Message.tsx";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";

/** Lets a new wallet be made only on a network that is built in or agreed to. */
export function NetworkGate(props: { children: JSX.Element }) {
  const { snapshot, engine } = useWallet();
  return (
    <Switch
      fallback={
        <Message icon="shield" text={t("network.waiting", { url: snapshot.node.url })}>
          <ErrorNotice error={snapshot.node.problem} />
        </Message>
      }
    >
      <Match when={snapshot.node.state === "refused"}>
        <Message icon="alert" title={t("network.refusedTitle")} text={t("network.refusedText")}>
          <ErrorNotice error={snapshot.node.problem} />
        </Message>
      </Match>
      <Match when={snapshot.network}>{props.children}</Match>
      <Match when={snapshot.node.network}>
        {(network) => (
          <Gate title={t("network.privateTitle")}>
            <Notice kind="warning">{t("network.privateText")}</Notice>
            <Facts
              rows={[
                { label: t("network.name"), value: network().name },
                { label: t("network.digest"), value: network().digest, mono: true },
              ]}
            />
            <GateActions>
              <Button
                kind="primary"
                wide
                onClick={() => void engine.acceptNetwork(network().digest)}
              >
                {t("network.accept")}
              </Button>
            </GateActions>
          </Gate>
        )}
      </Match>
    </Switch>
  );
}
