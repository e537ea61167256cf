/** Line of the settings: has a passkey of this device open the wallet beside the passphrase, or no longer. */
import { createResource, createSignal, onCleanup, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { isDeviceOffered } from "../../state/device/isDeviceOffered.ts";
import type { PasskeyRefusal } from "../../state/device/passkey.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { DoneStep } from "./DoneStep.tsx";
import styles from "../settings/Settings.module.css";
import { AskPassphrase } from "./AskPassphrase.tsx";
import { setUpRefusal } from "./deviceTexts.ts";

/** The line; nothing where this device can neither open the wallet nor learn to. */
export function DeviceLine() {
  const client = useWallet();
  const [offered] = createResource(() => isDeviceOffered());
  const [adding, setAdding] = createSignal(false);
  const [removed, setRemoved] = createSignal(false);
  const removing = createTask(async () => {
    await client.removeDevice();
    setRemoved(true);
  });
  const isSet = () => client.snapshot.deviceUnlock;
  const text = () => {
    if (isSet()) return t("device.textSet");
    return t(removed() ? "device.removed" : "device.text");
  };
  const press = () => {
    if (isSet()) return void removing.run();
    setRemoved(false);
    setAdding(true);
  };
  return (
    <>
      <Show when={isSet() || offered() === true}>
        <div class={styles.line}>
          <p role="status">{text()}</p>
          <Button busy={removing.busy()} onClick={press}>
            {t(isSet() ? "device.remove" : "device.add")}
          </Button>
          <ErrorNotice error={removing.error()} />
        </div>
      </Show>
      <Show when={adding()}>
        <AddDevice onClose={() => setAdding(false)} />
      </Show>
    </>
  );
}

/** Asks for the passphrase, and then the device. */
function AddDevice(props: { onClose: () => void }) {
  const client = useWallet();
  const [why, setWhy] = createSignal<PasskeyRefusal | null>(null);
  const [done, setDone] = createSignal(false);
  const end = new AbortController();
  onCleanup(() => end.abort());
  const add = async (passphrase: string) => {
    setWhy(null);
    const label = t("device.passkeyName", { network: client.snapshot.network?.name ?? "" });
    const refusal = await client.addDevice(passphrase, label, end.signal);
    setWhy(refusal);
    setDone(refusal === null);
  };
  return (
    <Dialog title={t("device.title")} onClose={props.onClose}>
      <Show when={!done()} fallback={<DoneStep text={t("device.done")} onClose={props.onClose} />}>
        <p class={styles.text}>{t("device.askText")}</p>
        <AskPassphrase submit={t("device.askSubmit")} work={add} onCancel={props.onClose} />
        <Show when={why()}>
          {(refusal) => <Notice kind="error">{t(setUpRefusal(refusal()))}</Notice>}
        </Show>
      </Show>
    </Dialog>
  );
}
