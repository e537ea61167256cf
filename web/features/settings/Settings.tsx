/** Settings screen. */
import { createResource, createSignal, Match, Show, Switch } from "solid-js";
import type { WalletView } from "../../wallet-api/walletApi.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { setTheme, theme, type Theme } from "../../state/theme.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Screen } from "../../ui/Card.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { LanguageChoice } from "../language/LanguageChoice.tsx";
import { AutoLockChoice } from "../keys/AutoLockChoice.tsx";
import { BackupsCard } from "../keys/BackupsCard.tsx";
import { PassphraseLine } from "../keys/ChangePassphrase.tsx";
import { DeviceLine } from "../keys/DeviceLine.tsx";
import { PaperBackup, type Paper } from "../keys/PaperBackup.tsx";
import { ReadBackChoice } from "../keys/ReadBackChoice.tsx";
import { ViewingKeysCard } from "../keys/ViewingKeysCard.tsx";
import { MergeChoice } from "../merging/MergeChoice.tsx";
import { createHash, MESSAGES_HREF } from "../../state/router.ts";
import { ContactsCard } from "../contacts/ContactsCard.tsx";
import { Messages } from "../messages/Messages.tsx";
import { MessagesCard } from "../messages/MessagesCard.tsx";
import { WalletsCard } from "../wallets/WalletsCard.tsx";
import { About } from "./About.tsx";
import { DeleteWallet } from "./DeleteWallet.tsx";
import { NodeShown } from "./NodeShown.tsx";
import { Nodes } from "./Nodes.tsx";
import { PaymentLinks } from "./PaymentLinks.tsx";
import { RevealSeed } from "./RevealSeed.tsx";
import styles from "./Settings.module.css";

/** The settings: appearance, network, node, keys, and what this build is. */
export function Settings(props: { wallet: WalletView; onLock: () => void }) {
  const [paper, setPaper] = createSignal<Paper | null>(null);
  const hash = createHash();
  return (
    <Switch fallback={<Cards wallet={props.wallet} onLock={props.onLock} onPaper={setPaper} />}>
      <Match when={paper()}>
        {(shown) => <PaperBackup paper={shown()} onClose={() => setPaper(null)} />}
      </Match>
      <Match when={hash() === MESSAGES_HREF}>
        <Messages wallet={props.wallet} />
      </Match>
    </Switch>
  );
}

function Cards(props: { wallet: WalletView; onLock: () => void; onPaper: (paper: Paper) => void }) {
  const { snapshot } = useWallet();
  return (
    <Screen title={t("settings.title")}>
      <Security onLock={props.onLock} />
      <Show when={!snapshot.watchOnly}>
        <BackupsCard onPaper={props.onPaper} />
      </Show>
      <ViewingKeysCard />
      <WalletsCard />
      <Show when={!snapshot.watchOnly}>
        <ReadBackChoice />
        <MergeChoice />
      </Show>
      <ContactsCard />
      <MessagesCard />
      <Appearance />
      <Nodes wallet={props.wallet} />
      <NodeShown wallet={props.wallet} />
      <PaymentLinks />
      <NetworkCard />
      <About />
      <Danger />
    </Screen>
  );
}

function Appearance() {
  const themes = (): readonly { value: Theme; text: string }[] => [
    { value: "system", text: t("settings.themeSystem") },
    { value: "light", text: t("settings.themeLight") },
    { value: "dark", text: t("settings.themeDark") },
    { value: "contrast", text: t("settings.themeContrast") },
  ];
  return (
    <Card title={t("settings.appearance")}>
      <Choices label={t("settings.theme")} options={themes()} value={theme()} onChange={setTheme} />
      <LanguageChoice />
    </Card>
  );
}

function NetworkCard() {
  const { snapshot } = useWallet();
  return (
    <Show when={snapshot.network}>
      {(network) => (
        <Card title={t("settings.network")}>
          <Facts
            rows={[
              {
                label: t("network.name"),
                value: `${network().name} · ${t(network().builtIn ? "network.builtIn" : "network.private")}`,
              },
              { label: t("network.digest"), value: network().digest, mono: true },
            ]}
          />
        </Card>
      )}
    </Show>
  );
}

function Security(props: { onLock: () => void }) {
  const { snapshot } = useWallet();
  const [revealing, setRevealing] = createSignal(false);
  return (
    <Card title={t("settings.security")}>
      <div class={styles.line}>
        <p>{t("settings.lockText")}</p>
        <Button icon="lock" onClick={() => props.onLock()}>
          {t("settings.lock")}
        </Button>
      </div>
      <AutoLockChoice />
      <PassphraseLine />
      <DeviceLine />
      <Show when={!snapshot.watchOnly}>
        <div class={styles.line}>
          <p>{t("settings.seedText")}</p>
          <Button icon="eye" onClick={() => setRevealing(true)}>
            {t("settings.seed")}
          </Button>
        </div>
      </Show>
      <Rescan />
      <Keeping />
      <Show when={revealing()}>
        <RevealSeed onClose={() => setRevealing(false)} />
      </Show>
    </Card>
  );
}

/** Whether the browser has promised not to clear the wallet's data by itself. */
function Keeping() {
  const [isKept] = createResource(() => navigator.storage.persisted().catch(() => false));
  return (
    <Show when={!isKept.loading}>
      <p class={styles.text}>{t(isKept() === true ? "settings.kept" : "settings.notKept")}</p>
    </Show>
  );
}

/** Two scans: from the wallet's first block, and from the chain's when that may be too late. */
function Rescan() {
  const { wallet } = useWallet();
  const [begun, setBegun] = createSignal(false);
  const rescanning = createTask(async (from: "birthday" | "genesis") => {
    setBegun(false);
    await wallet.rescan(from);
    setBegun(true);
  });
  return (
    <div class={styles.line}>
      <p>{t("settings.rescanText")}</p>
      <div class={styles.buttons}>
        <Button
          icon="history"
          busy={rescanning.busy()}
          onClick={() => void rescanning.run("birthday")}
        >
          {t("settings.rescan")}
        </Button>
        <Button busy={rescanning.busy()} onClick={() => void rescanning.run("genesis")}>
          {t("settings.rescanAll")}
        </Button>
      </div>
      <p role="status">
        <Show when={begun()}>{t("settings.rescanBegun")}</Show>
      </p>
      <ErrorNotice error={rescanning.error()} />
    </div>
  );
}

function Danger() {
  const [deleting, setDeleting] = createSignal(false);
  return (
    <Card title={t("settings.danger")}>
      <div class={styles.line}>
        <p>{t("settings.deleteText")}</p>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {t("settings.delete")}
        </Button>
      </div>
      <Show when={deleting()}>
        <DeleteWallet onClose={() => setDeleting(false)} />
      </Show>
    </Card>
  );
}
