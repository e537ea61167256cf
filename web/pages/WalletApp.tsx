/** Root component of the wallet page: chooses between welcome, unlock, backup and the open wallet. */
import { createEffect, ErrorBoundary, Match, Show, Switch } from "solid-js";
import { Backup } from "../features/backup/Backup.tsx";
import { Unlock } from "../features/unlock/Unlock.tsx";
import { WalletChoice } from "../features/wallets/WalletChoice.tsx";
import { Welcome } from "../features/welcome/Welcome.tsx";
import { t } from "../i18n/translate.ts";
import { useWallet } from "../state/walletContext.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorNotice } from "../ui/Notice.tsx";
import { Message } from "../ui/Message.tsx";
import { resetRoute } from "../state/router.ts";
import { loadNewest } from "../state/keptPages.ts";
import { isMarkedStored } from "../state/storedMark.ts";
import { Shell } from "./Shell.tsx";

/** Decides by the wallet's state which part of the program is shown. */
export function WalletApp() {
  const { snapshot, wallet, freshSeed } = useWallet();
  // Where no wallet was ever stored the first screen need not wait for the store to say so.
  const wasStored = isMarkedStored();
  const isFirstStart = () => snapshot.access === "starting" && !wasStored;
  // A wallet that begins here begins at its first screen, not where the one before was left.
  createEffect(() => {
    if (snapshot.access === "no-wallet") resetRoute();
  });
  return (
    <ErrorBoundary fallback={(error: unknown) => <Crash error={error} />}>
      <Switch fallback={<Message icon="shield" text={t("app.starting")} />}>
        <Match when={snapshot.tabs.following && snapshot.wallet}>
          {(wallet) => <Shell wallet={wallet()} />}
        </Match>
        <Match when={snapshot.access === "elsewhere"}>
          <Elsewhere />
        </Match>
        <Match when={snapshot.access === "moved"}>
          <Message icon="lock" title={t("app.movedTitle")} text={t("app.movedText")}>
            <Button onClick={() => void wallet.takeOver(false)}>{t("app.elsewhereTake")}</Button>
          </Message>
        </Match>
        <Match when={snapshot.access === "broken"}>
          <Message icon="alert" title={t("app.brokenTitle")}>
            <ErrorNotice error={snapshot.problem} />
            <Button onClick={() => void loadNewest()}>{t("app.reload")}</Button>
            {/* A wallet that is damaged does not keep the others shut. */}
            <WalletChoice />
          </Message>
        </Match>
        <Match when={freshSeed()}>{(seed) => <Backup seed={seed()} />}</Match>
        <Match when={snapshot.access === "no-wallet" || isFirstStart()}>
          <Welcome />
        </Match>
        <Match when={snapshot.access === "locked" || snapshot.access === "opening"}>
          <Unlock opening={snapshot.access === "opening"} />
        </Match>
        <Match when={snapshot.access === "open"}>
          <Show when={snapshot.wallet}>{(wallet) => <Shell wallet={wallet()} />}</Show>
        </Match>
      </Switch>
    </ErrorBoundary>
  );
}

/** Another tab has the wallet. In the middle of a payment it gives way only when asked a second time. */
function Elsewhere() {
  const { snapshot, wallet } = useWallet();
  return (
    <Show
      when={snapshot.otherTabPays}
      fallback={
        <Message icon="lock" title={t("app.elsewhereTitle")} text={t("app.elsewhereText")}>
          <Button kind="primary" onClick={() => void wallet.takeOver(false)}>
            {t("app.elsewhereTake")}
          </Button>
        </Message>
      }
    >
      <Message icon="alert" title={t("app.otherPaysTitle")} text={t("app.otherPaysText")}>
        <Button kind="danger" onClick={() => void wallet.takeOver(true)}>
          {t("app.otherPaysTake")}
        </Button>
      </Message>
    </Show>
  );
}

function Crash(props: { error: unknown }) {
  reportError(props.error);
  return (
    <Message icon="alert" title={t("app.crashTitle")} text={t("app.crashText")}>
      <Button onClick={() => location.reload()}>{t("app.reload")}</Button>
    </Message>
  );
}
