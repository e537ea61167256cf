/** Component: the name of the contact with an address, and what was proved of the address; nothing for an address without a contact. */
import { Show } from "solid-js";
import { dateText } from "../../i18n/format.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t } from "../../i18n/translate.ts";
import { useContacts } from "../../state/contacts/contacts.ts";
import styles from "./Contacts.module.css";

/** The name, above the address that stands with it: a name alone is not what is paid. */
export function ContactName(props: { address: string }) {
  const contacts = useContacts();
  return (
    <Show when={contacts.at(props.address)}>
      {(contact) => (
        <span class={styles.who} data-testid="contact-name">
          <bdi class={styles.name}>{plainText(contact().name)}</bdi>
          <Show when={contact().proof}>
            {(proof) => (
              <span class={styles.proved}>
                {t("contacts.proved", { date: dateText(proof().checkedMs) })}
              </span>
            )}
          </Show>
        </span>
      )}
    </Show>
  );
}
