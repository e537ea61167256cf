/** Card of the settings: shows a viewing key, after its warning and the passphrase. */
import { createSignal, onCleanup, Show } from "solid-js";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { QrCode } from "../../ui/QrCode.tsx";
import { saveFile } from "../../ui/saveFile.ts";
import type { ViewingKeyKind } from "../../wallet-api/keyringApi.ts";
import styles from "../settings/Settings.module.css";
import { AskPassphrase } from "./AskPassphrase.tsx";
import { birthdayText } from "./birthdayText.ts";
import { viewingKeyFile } from "./viewingKeyFile.ts";

/** The card. */
export function ViewingKeysCard() {
  const [open, setOpen] = createSignal(false);
  return (
    <Card title={t("viewing.title")}>
      <div class={styles.line}>
        <p>{t("viewing.text")}</p>
        <Button icon="eye" onClick={() => setOpen(true)}>
          {t("viewing.export")}
        </Button>
      </div>
      <Show when={open()}>
        <ExportKey onClose={() => setOpen(false)} />
      </Show>
    </Card>
  );
}

/** A key as it is shown. */
type ShownKey = { readonly kind: ViewingKeyKind; readonly key: string; readonly birthday: string };

function ExportKey(props: { onClose: () => void }) {
  const client = useWallet();
  const [kind, setKind] = createSignal<ViewingKeyKind>("incoming");
  const [shown, setShown] = createSignal<ShownKey | null>(null);
  onCleanup(() => setShown(null));
  const show = async (passphrase: string) => {
    const wanted = kind();
    const { birthday } = await client.wallet.backupFacts();
    const key = await client.exportKey(passphrase, wanted);
    setShown({ kind: wanted, key: encodeHex(key), birthday: birthdayText(birthday) });
    key.fill(0);
  };
  return (
    <Dialog title={t("viewing.export")} onClose={props.onClose}>
      <Show
        when={shown()}
        fallback={
          <AskKey kind={kind()} onKind={setKind} onSubmit={show} onCancel={props.onClose} />
        }
      >
        {(found) => <KeyShown shown={found()} />}
      </Show>
    </Dialog>
  );
}

/** The choice, what it means, and only then the passphrase. */
function AskKey(props: {
  kind: ViewingKeyKind;
  onKind: (kind: ViewingKeyKind) => void;
  onSubmit: (passphrase: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [agreed, setAgreed] = createSignal(false);
  return (
    <>
      <Choices<ViewingKeyKind>
        label={t("viewing.which")}
        options={[
          { value: "incoming", text: t("viewing.incoming") },
          { value: "full", text: t("viewing.full") },
        ]}
        value={props.kind}
        onChange={(kind) => {
          // What was agreed to was the other key.
          setAgreed(false);
          props.onKind(kind);
        }}
      />
      <Notice kind="warning">{warningOf(props.kind)}</Notice>
      <label class={styles.consent}>
        <input
          type="checkbox"
          checked={agreed()}
          onChange={(event) => setAgreed(event.currentTarget.checked)}
        />
        <span>{t("viewing.agree")}</span>
      </label>
      <Show when={agreed()}>
        <AskPassphrase
          submit={t("viewing.submit")}
          work={props.onSubmit}
          onCancel={props.onCancel}
        />
      </Show>
    </>
  );
}

function KeyShown(props: { shown: ShownKey }) {
  const { snapshot } = useWallet();
  const save = () => {
    const file = viewingKeyFile(props.shown, snapshot.network?.name ?? "", new Date());
    saveFile(file.text, file.name, "text/plain");
  };
  const name = () => t(props.shown.kind === "full" ? "viewing.full" : "viewing.incoming");
  return (
    <>
      <Notice kind="warning">{warningOf(props.shown.kind)}</Notice>
      <div data-testid="viewing-key">
        <Facts
          rows={[
            { label: `${t("viewing.key")}: ${name()}`, value: props.shown.key, mono: true },
            { label: t("paper.birthday"), value: props.shown.birthday },
          ]}
        />
      </div>
      <QrCode text={props.shown.key.toUpperCase()} label={t("viewing.qr")} />
      <div class={styles.buttons}>
        <CopyButton text={props.shown.key} />
        <Button onClick={save}>{t("viewing.save")}</Button>
      </div>
    </>
  );
}

function warningOf(kind: ViewingKeyKind): string {
  return t(kind === "full" ? "viewing.fullWarning" : "viewing.incomingWarning");
}
