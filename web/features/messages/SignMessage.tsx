/** Form that signs a text in the name of an own address, after its warning and the passphrase. */
import { createSignal, onCleanup, Show } from "solid-js";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { fitsMessage, signedMessageText } from "@svc/shared/signer/messages/signedMessageText.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { countText, shortAddress } from "../../i18n/format.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t } from "../../i18n/translate.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { useWallet } from "../../state/walletContext.ts";
import { AddressText } from "../../ui/AddressText.tsx";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { SelectField, TextArea } from "../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { saveFile } from "../../ui/saveFile.ts";
import type { WalletView } from "../../wallet-api/walletApi.ts";
import { AskPassphrase } from "../keys/AskPassphrase.tsx";
import { createAddresses } from "../receive/createAddresses.ts";
import styles from "../settings/Settings.module.css";
import { messageFileName } from "./messageFileName.ts";
import { MessageShown } from "./MessageShown.tsx";

/** The form, then what came of it. */
export function SignMessage(props: { wallet: WalletView }) {
  const [signed, setSigned] = createSignal<SignedMessage | null>(null);
  onCleanup(() => setSigned(null));
  return (
    <Show when={signed()} fallback={<Form wallet={props.wallet} onSigned={setSigned} />}>
      {(made) => <Made signed={made()} onAnother={() => setSigned(null)} />}
    </Show>
  );
}

function Form(props: { wallet: WalletView; onSigned: (signed: SignedMessage) => void }) {
  const client = useWallet();
  const addresses = createAddresses(
    () => props.wallet,
    () => PAGE_LIMITS.messageAddresses,
  );
  const [chosen, setChosen] = createSignal<number | null>(null);
  const [text, setText] = createSignal("");
  const [agreed, setAgreed] = createSignal(false);
  const index = () => chosen() ?? props.wallet.address.index;
  const options = () =>
    addresses.page.rows.map((row) => {
      const address = shortAddress(row.text);
      const shown =
        row.label === ""
          ? t("sign.addressOf", { number: row.index + 1, address })
          : t("sign.named", { name: plainText(row.label), address });
      return { value: String(row.index), text: shown };
    });
  const sign = async (passphrase: string) =>
    props.onSigned(await client.signMessage(passphrase, index(), text()));
  return (
    <div class={styles.form}>
      <ErrorNotice error={addresses.error()} />
      <SelectField
        label={t("sign.address")}
        options={options()}
        value={String(index())}
        onChange={(value) => setChosen(Number(value))}
      />
      <TextArea
        label={t("sign.message")}
        hint={t("sign.messageHint")}
        error={
          fitsMessage(text())
            ? null
            : t("sign.tooLong", { max: countText(WALLET_LIMITS.signedMessageChars) })
        }
        rows={4}
        dir="auto"
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Notice kind="warning" title={t("sign.warningTitle")}>
        {t("sign.warning")}
      </Notice>
      <label class={styles.consent}>
        <input
          type="checkbox"
          checked={agreed()}
          onChange={(event) => setAgreed(event.currentTarget.checked)}
        />
        <span>{t("sign.agree")}</span>
      </label>
      <Show when={agreed() && text() !== "" && fitsMessage(text())}>
        <AskPassphrase submit={t("sign.submit")} work={sign} onCancel={() => setAgreed(false)} />
      </Show>
    </div>
  );
}

function Made(props: { signed: SignedMessage; onAnother: () => void }) {
  const text = () => signedMessageText(props.signed);
  return (
    <div class={styles.form} data-testid="signed-message">
      <div role="status">
        <Notice kind="good">{t("sign.done")}</Notice>
      </div>
      <Facts
        rows={[
          {
            label: t("sign.address"),
            value: <AddressText text={props.signed.address} />,
            wide: true,
          },
          {
            label: t("sign.message"),
            value: <MessageShown text={props.signed.message} />,
            wide: true,
          },
          { label: t("sign.signature"), value: props.signed.signature, mono: true, wide: true },
        ]}
      />
      <Notice kind="warning">{t("sign.warning")}</Notice>
      <div class={styles.buttons}>
        <Button onClick={() => props.onAnother()}>{t("sign.another")}</Button>
        <Button onClick={() => saveFile(text(), messageFileName(new Date()), "application/json")}>
          {t("sign.file")}
        </Button>
        <CopyButton text={text()} label={t("sign.copy")} kind="primary" />
      </div>
    </div>
  );
}
