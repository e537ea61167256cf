/** Component: asks for consent to an unknown network before a wallet is created on it. */
import { Match, Switch, type JSX } from "solid-js";
import { Gate, GateActions } from "../../ui/Gate.tsx";
import { Message } from "../../ui/Message.tsx";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";

/** Shows its children unless the node's network is known to be none that is built in or that the person agreed to. */
export function NetworkGate(props: { children: JSX.Element }) {
  const { snapshot, wallet } = useWallet();
  return (
    <Switch fallback={props.children}>
      <Match when={snapshot.node.state === "refused"}>
        <Message icon="alert" title={t("network.refusedTitle")} text={t("network.refusedText")}>
          <ErrorNotice error={snapshot.node.problem} />
        </Message>
      </Match>
      <Match when={snapshot.network === null && snapshot.node.network}>
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
                onClick={() => void wallet.acceptNetwork(network().digest)}
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
