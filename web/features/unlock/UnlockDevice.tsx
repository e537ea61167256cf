/** Button of the unlock screen: opens the wallet with a passkey of this device. */
import { createResource, createSignal, onCleanup, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { isDeviceOffered } from "../../state/device/isDeviceOffered.ts";
import type { PasskeyRefusal } from "../../state/device/passkey.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { unlockRefusal } from "../keys/deviceTexts.ts";

/** The button, and why it did not open the wallet; nothing for a wallet that the passphrase alone opens. */
export function UnlockDevice(props: { disabled: boolean }) {
  const client = useWallet();
  const [offered] = createResource(() => isDeviceOffered());
  const [why, setWhy] = createSignal<PasskeyRefusal | null>(null);
  const end = new AbortController();
  onCleanup(() => end.abort());
  const unlocking = createTask(async () => {
    setWhy(null);
    setWhy(await client.unlockByDevice(end.signal));
  });
  return (
    <Show when={client.snapshot.deviceUnlock && offered() === true}>
      <Button
        wide
        busy={unlocking.busy()}
        disabled={props.disabled}
        onClick={() => void unlocking.run()}
      >
        {t(unlocking.busy() ? "device.waiting" : "device.unlock")}
      </Button>
      <Show when={why()}>
        {(refusal) => <Notice kind="error">{t(unlockRefusal(refusal()))}</Notice>}
      </Show>
      <ErrorNotice error={unlocking.error()} />
    </Show>
  );
}
