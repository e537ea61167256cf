/** Unlock screen: opens the vault with its passphrase, or with this device. */
import { createSignal, onCleanup, Show } from "solid-js";
import { Gate, GateActions, GateForm } from "../../ui/Gate.tsx";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PassphraseField } from "../../ui/PassphraseField.tsx";
import { LanguageChoice } from "../language/LanguageChoice.tsx";
import { DeleteWallet } from "../settings/DeleteWallet.tsx";
import { CoreNotice } from "../welcome/CoreNotice.tsx";
import { createPause } from "./createPause.ts";
import { UnlockDevice } from "./UnlockDevice.tsx";
import styles from "./Unlock.module.css";

/** Asks for the passphrase. */
export function Unlock(props: { opening: boolean }) {
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
  const foot = () => {
    const { network, watchOnly } = client.snapshot;
    return [network?.name, watchOnly ? t("watch.badge") : undefined].filter(Boolean).join(" · ");
  };
  const busy = () => unlocking.busy() || props.opening;
  const label = () => {
    if (pause.seconds() > 0) return t("unlock.pause", { count: pause.seconds() });
    return t(busy() ? "unlock.working" : "unlock.submit");
  };

  return (
    <Gate title={t("unlock.title")} foot={foot()}>
      <Show when={client.snapshot.tabs.holderEnded}>
        <Notice kind="info" title={t("tabs.endedTitle")}>
          <p>{t("tabs.endedText")}</p>
        </Notice>
      </Show>
      <GateForm onSubmit={() => void submit()}>
        <PassphraseField
          label={t("passphrase.label")}
          purpose="current-password"
          autofocus
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
      <LanguageChoice centred />
    </Gate>
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
