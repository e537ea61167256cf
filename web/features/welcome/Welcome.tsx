/** Welcome screen of a browser without a wallet, and of a new one beside others: create one or restore one. */
import { createSignal, Match, Show, Switch } from "solid-js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { Gate } from "../../ui/Gate.tsx";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { LanguageChoice } from "../language/LanguageChoice.tsx";
import { RestoreFile } from "../keys/RestoreFile.tsx";
import { WatchWallet } from "../keys/WatchWallet.tsx";
import { BackToWallets } from "../wallets/BackToWallets.tsx";
import { CreateWallet } from "./CreateWallet.tsx";
import { NetworkGate } from "./NetworkGate.tsx";
import { readinessOf } from "./readiness.ts";
import { RestoreWallet } from "./RestoreWallet.tsx";
import { StartNotice } from "./StartNotice.tsx";
import styles from "./Welcome.module.css";

const REMOVED = new SvcError("wallet/storage-removed", {}).toJSON();

/** The first screen of a browser without a wallet. */
export function Welcome() {
  const { snapshot, isRemoved } = useWallet();
  const [step, setStep] = createSignal<"choose" | "create" | "restore" | "file" | "watch">(
    "choose",
  );
  const back = () => setStep("choose");
  // The wallet beside which a new one is made; null in a browser without any.
  const beside = () => snapshot.wallets.beside;
  // While all goes well there is nothing to say before somebody waits for it.
  const isFailed = () => readinessOf(snapshot) === "failed" || snapshot.node.problem !== null;
  return (
    <Switch
      fallback={
        <NetworkGate>
          <Gate
            title={t(beside() === null ? "welcome.title" : "wallets.newTitle")}
            text={t(beside() === null ? "welcome.text" : "wallets.newText")}
            foot={trustText(snapshot.node.url, location.origin)}
          >
            <ErrorNotice error={isRemoved() ? REMOVED : null} />
            <div class={styles.choices}>
              <Choice
                icon="plus"
                name={t("welcome.create")}
                about={t("welcome.createText")}
                onChoose={() => setStep("create")}
              />
              <Choice
                icon="history"
                name={t("welcome.restore")}
                about={t("welcome.restoreText")}
                onChoose={() => setStep("restore")}
              />
              <Choice
                icon="receive"
                name={t("restoreFile.choice")}
                about={t("restoreFile.choiceText")}
                onChoose={() => setStep("file")}
              />
              <Choice
                icon="eye"
                name={t("watch.choice")}
                about={t("watch.choiceText")}
                onChoose={() => setStep("watch")}
              />
            </div>
            <Show when={isFailed()}>
              <StartNotice />
            </Show>
            <Show when={beside()}>{(to) => <BackToWallets to={to()} />}</Show>
            <LanguageChoice centred />
          </Gate>
        </NetworkGate>
      }
    >
      <Match when={step() === "create"}>
        <CreateWallet onBack={back} />
      </Match>
      <Match when={step() === "restore"}>
        <RestoreWallet onBack={back} />
      </Match>
      <Match when={step() === "file"}>
        <RestoreFile onBack={back} />
      </Match>
      <Match when={step() === "watch"}>
        <WatchWallet onBack={back} />
      </Match>
    </Switch>
  );
}

/** Who could change this page, and who sees its requests: often one, not always. */
function trustText(node: string, origin: string): string {
  return node === origin ? t("welcome.trust", { origin }) : t("welcome.trustTwo", { origin, node });
}

function Choice(props: { icon: IconName; name: string; about: string; onChoose: () => void }) {
  return (
    <button type="button" class={styles.choice} onClick={() => props.onChoose()}>
      <span class={styles.icon}>
        <Icon name={props.icon} />
      </span>
      <span>
        <span class={styles.name}>{props.name}</span>
        <span class={styles.about}>{props.about}</span>
      </span>
    </button>
  );
}
