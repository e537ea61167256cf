/** Card of the settings: the contacts, with what each proved. */
import { For, Show } from "solid-js";
import type { Contact } from "@svc/shared/wallet/contacts/contacts.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t } from "../../i18n/translate.ts";
import { annotationsText } from "../naming/annotationsText.ts";
import { useWallet } from "../../state/walletContext.ts";
import { useContacts } from "../../state/contacts/contacts.ts";
import { createFormOpener } from "../naming/createFormOpener.ts";
import { createTask } from "../../state/createTask.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { ContactForm } from "./ContactForm.tsx";
import { NamedAddress } from "./NamedAddress.tsx";
import styles from "./Contacts.module.css";

/** The card. */
export function ContactsCard() {
  const { snapshot } = useWallet();
  const contacts = useContacts();
  const adding = createFormOpener();
  return (
    <Card title={t("contacts.title")}>
      <p class={styles.text}>{annotationsText("contacts.text", snapshot)}</p>
      <ErrorNotice error={contacts.error()} />
      <Show when={contacts.all().length === 0 && contacts.error() === null}>
        <p class={styles.text}>{t("contacts.none")}</p>
      </Show>
      <ul class={styles.list}>
        <For each={contacts.all()}>{(contact) => <Row contact={contact} />}</For>
      </ul>
      <Show
        when={adding.isOpen()}
        fallback={
          <div class={styles.add}>
            <Button ref={adding.buttonRef} icon="plus" onClick={() => adding.toggle()}>
              {t("contacts.add")}
            </Button>
          </div>
        }
      >
        <ContactForm address="" onDone={adding.close} onCancel={adding.close} />
      </Show>
    </Card>
  );
}

function Row(props: { contact: Contact }) {
  const contacts = useContacts();
  const removing = createTask(() => contacts.remove(props.contact.address));
  const name = () => plainText(props.contact.name);
  return (
    <li class={styles.contact} data-testid="contact">
      <div class={styles.about}>
        <NamedAddress address={props.contact.address} />
        <span class={styles.text}>
          <Show when={props.contact.proof} fallback={t("contacts.unproved")}>
            {(proof) => <bdi>{t("contacts.provedText", { text: plainText(proof().message) })}</bdi>}
          </Show>
        </span>
        <ErrorNotice error={removing.error()} />
      </div>
      <Button
        aria-label={t("contacts.removeOf", { name: name() })}
        busy={removing.busy()}
        onClick={() => void removing.run()}
      >
        {t("contacts.remove")}
      </Button>
    </li>
  );
}
