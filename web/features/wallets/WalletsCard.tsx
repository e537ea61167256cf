/** Card of the settings: the wallets of this browser, with their names, and the ways to another and to a new one. */
import { For, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { createFormOpener } from "../naming/createFormOpener.ts";
import { createTask } from "../../state/createTask.ts";
import { isPaying } from "../../state/isPaying.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import type { WalletEntry } from "../../wallet-api/walletEntry.ts";
import { NameForm } from "../naming/NameForm.tsx";
import { walletName } from "./walletName.ts";
import styles from "./Wallets.module.css";

/** All wallets. The one that is open is removed below, any other once it is the open one. */
export function WalletsCard() {
  const client = useWallet();
  const wallets = () => client.snapshot.wallets;
  const adding = createTask(() => client.addWallet());
  const switching = createTask((id: string) => client.chooseWallet(id));
  const isFull = () => wallets().list.length >= PAGE_LIMITS.walletsMax;
  const isBusy = () => adding.busy() || switching.busy() || isPaying(client.snapshot);
  return (
    <Card title={t("wallets.title")}>
      <p class={styles.small}>{t("wallets.text")}</p>
      <ul class={styles.list}>
        <For each={wallets().list}>
          {(entry) => (
            <Row
              entry={entry}
              isOpen={entry.id === wallets().current}
              disabled={isBusy()}
              onSwitch={() => void switching.run(entry.id)}
            />
          )}
        </For>
      </ul>
      <Show when={isPaying(client.snapshot)}>
        <Notice kind="info">{t("wallets.paying")}</Notice>
      </Show>
      <ErrorNotice error={adding.error() ?? switching.error()} />
      <Show
        when={!isFull()}
        fallback={<p class={styles.small}>{t("wallets.full", { max: PAGE_LIMITS.walletsMax })}</p>}
      >
        <div class={styles.actions}>
          <Button
            icon="plus"
            busy={adding.busy()}
            disabled={isBusy()}
            onClick={() => void adding.run()}
          >
            {t("wallets.add")}
          </Button>
        </div>
      </Show>
    </Card>
  );
}

function Row(props: {
  entry: WalletEntry;
  isOpen: boolean;
  disabled: boolean;
  onSwitch: () => void;
}) {
  const { wallet } = useWallet();
  const naming = createFormOpener();
  const name = () => walletName(props.entry);
  return (
    <li class={styles.entry} data-testid="wallet-entry" aria-current={props.isOpen}>
      <div class={styles.entryText}>
        <strong>{name()}</strong>
        <span class={styles.small}>{t(props.isOpen ? "wallets.open" : "wallets.locked")}</span>
      </div>
      <div class={styles.actions}>
        <Button
          ref={naming.buttonRef}
          aria-label={t("wallets.renameOf", { name: name() })}
          aria-expanded={naming.isOpen()}
          onClick={() => naming.toggle()}
        >
          {t("wallets.rename")}
        </Button>
        <Show when={!props.isOpen}>
          <Button
            aria-label={t("wallets.switchTo", { name: name() })}
            disabled={props.disabled}
            onClick={() => props.onSwitch()}
          >
            {t("wallets.switch")}
          </Button>
        </Show>
      </div>
      <Show when={naming.isOpen()}>
        <NameForm
          label={t("wallets.nameOf", { name: name() })}
          hint={t("wallets.nameHint")}
          maxlength={PAGE_LIMITS.walletNameChars}
          text={props.entry.name}
          onSave={(text) => wallet.renameWallet(props.entry.id, text)}
          onDone={naming.close}
        />
      </Show>
    </li>
  );
}
