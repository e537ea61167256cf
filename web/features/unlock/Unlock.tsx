/** Unlock screen: opens the vault with its passphrase, or with this device. */
import { createSignal, onCleanup, Show } from "solid-js";
import { Gate, GateActions, GateForm } from "../../ui/Gate.tsx";
import { plainText } from "../../i18n/plainText.ts";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PassphraseField } from "../../ui/PassphraseField.tsx";
import { LanguageChoice } from "../language/LanguageChoice.tsx";
import { DeleteWallet } from "../settings/DeleteWallet.tsx";
import { WalletChoice } from "../wallets/WalletChoice.tsx";
import { currentName } from "../wallets/walletName.ts";
import { CoreNotice } from "../welcome/CoreNotice.tsx";
import { createPause } from "./createPause.ts";
import { UnlockDevice } from "./UnlockDevice.tsx";
import styles from "./Unlock.module.css";

/** Asks for the passphrase, and before that for the wallet where there are several. */
export function Unlock(props: { opening: boolean }) {
  const { snapshot } = useWallet();
  const foot = () => {
    const { network, watchOnly } = snapshot;
    return [network?.name, watchOnly ? t("watch.badge") : undefined].filter(Boolean).join(" · ");
  };
  const first = snapshot.wallets.current;
  return (
    <Gate title={t("unlock.title")} foot={foot()}>
      <Show when={snapshot.tabs.holderEnded}>
        <Notice kind="info" title={t("tabs.endedTitle")}>
          <p>{t("tabs.endedText")}</p>
        </Notice>
      </Show>
      <WalletChoice />
      <Show when={snapshot.wallets.current ?? "none"} keyed>
        {/* Whoever goes to another wallet by the keyboard goes on among the wallets, not in its form. */}
        <UnlockForm opening={props.opening} autofocus={snapshot.wallets.current === first} />
      </Show>
      <LanguageChoice centred />
    </Gate>
  );
}

/** What opens one wallet. What was typed for it is gone with it. */
function UnlockForm(props: { opening: boolean; autofocus: boolean }) {
  const client = useWallet();
  const [text, setText] = createSignal("");
  const pause = createPause(() => client.pauseMs());
  const unlocking = createTask(async () => {
    try {
      await client.unlock(text());
    } finally {
      await pause.look();
    }
  });
  const submit = async () => {
    const done = await unlocking.run();
    if (!done) setText("");
  };
  onCleanup(() => setText(""));
  const busy = () => unlocking.busy() || props.opening;
  const label = () => {
    if (pause.seconds() > 0) return t("unlock.pause", { count: pause.seconds() });
    return t(busy() ? "unlock.working" : "unlock.submit");
  };

  return (
    <>
      <GateForm onSubmit={() => void submit()}>
        <Show when={currentName(client.snapshot.wallets)}>
          {(name) => <ManagedName name={plainText(name())} />}
        </Show>
        <PassphraseField
          label={t("passphrase.label")}
          purpose="current-password"
          autofocus={props.autofocus}
          value={text()}
          onChange={(value) => {
            unlocking.clearError();
            setText(value);
          }}
          error={sentenceOrNull(unlocking.error())}
        />
        <Show when={client.snapshot.core.state === "failed" || busy()}>
          <CoreNotice />
        </Show>
        <GateActions>
          <Button
            kind="primary"
            type="submit"
            wide
            busy={busy()}
            disabled={pause.seconds() > 0 || text() === ""}
          >
            {label()}
          </Button>
          <UnlockDevice disabled={busy()} />
        </GateActions>
      </GateForm>
      <Forgotten />
    </>
  );
}

/** For password managers: without a name beside it, the passphrase of one wallet would be kept in place of another's. */
function ManagedName(props: { name: string }) {
  return (
    <input
      class="visually-hidden"
      type="text"
      autocomplete="username"
      aria-hidden="true"
      tabindex={-1}
      readonly
      value={props.name}
    />
  );
}

/** The only way on without the passphrase: remove the wallet and restore it from its seed. */
function Forgotten() {
  const [deleting, setDeleting] = createSignal(false);
  return (
    <>
      <details class={styles.forgot}>
        <summary>{t("unlock.forgot")}</summary>
        <p>{t("unlock.forgotText")}</p>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {t("unlock.remove")}
        </Button>
      </details>
      <Show when={deleting()}>
        <DeleteWallet onClose={() => setDeleting(false)} />
      </Show>
    </>
  );
}
