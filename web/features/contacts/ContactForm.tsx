/** Form that adds a contact, with a signed message that shows control of its address where there is one. */
import { createSignal } from "solid-js";
import { readSignedMessage } from "@svc/shared/signer/messages/signedMessageText.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useContacts } from "../../state/contacts/contacts.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { LookAlikeNotice } from "../send/LookAlikeNotice.tsx";
import styles from "../settings/Settings.module.css";

/** `address`: what the form begins with. */
export function ContactForm(props: { address: string; onDone: () => void; onCancel: () => void }) {
  const contacts = useContacts();
  const [name, setName] = createSignal("");
  const [address, setAddress] = createSignal(props.address);
  const [proof, setProof] = createSignal("");
  const signed = () => readSignedMessage(proof());
  const isProof = () => proof().trim() === "" || signed() !== null;
  const saving = createTask(async () => {
    await contacts.put({ address: address(), name: name(), signed: signed() });
    props.onDone();
  });
  const isFull = () => {
    const error = saving.error();
    // A message that is too long has this code, too.
    const max = String(WALLET_LIMITS.contactsMax);
    return error?.code === "codec/count-too-large" && error.data["max"] === max;
  };
  const isAddress = () => saving.error()?.code.startsWith("address/") === true;
  return (
    <form
      class={styles.form}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isProof() && name().trim() !== "") void saving.run();
      }}
    >
      <TextField
        label={t("contacts.name")}
        maxlength={WALLET_LIMITS.contactNameChars}
        dir="auto"
        ref={(input) => queueMicrotask(() => input.focus())}
        value={name()}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <TextArea
        label={t("contacts.address")}
        address
        rows={3}
        error={isAddress() ? sentenceOrNull(saving.error()) : null}
        value={address()}
        onInput={(event) => {
          saving.clearError();
          setAddress(event.currentTarget.value.replaceAll(/\s/g, ""));
        }}
      />
      <LookAlikeNotice address={address()} />
      <TextArea
        label={t("contacts.proof")}
        hint={t("contacts.proofHint")}
        error={isProof() ? null : t("contacts.proofForm")}
        rows={3}
        value={proof()}
        onInput={(event) => {
          saving.clearError();
          setProof(event.currentTarget.value);
        }}
      />
      {isFull() ? <Notice kind="error">{t("contacts.full")}</Notice> : null}
      <ErrorNotice error={isFull() || isAddress() ? null : saving.error()} />
      <div class={styles.buttons}>
        <Button onClick={() => props.onCancel()}>{t("form.cancel")}</Button>
        <Button
          kind="primary"
          type="submit"
          busy={saving.busy()}
          disabled={name().trim() === "" || address() === "" || !isProof()}
        >
          {t("form.save")}
        </Button>
      </div>
    </form>
  );
}
