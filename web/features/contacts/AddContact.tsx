/** Component of a payment's details: adds its payee to the contacts. */
import { Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { useContacts } from "../../state/contacts/contacts.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { createFormOpener } from "../naming/createFormOpener.ts";
import { ContactForm } from "./ContactForm.tsx";
import styles from "./Contacts.module.css";

/** The button, then the form behind it; nothing for an address that is a contact's. */
export function AddContact(props: { address: string }) {
  const { snapshot } = useWallet();
  const contacts = useContacts();
  const adding = createFormOpener();
  return (
    <Show when={!snapshot.tabs.following && contacts.at(props.address) === undefined}>
      <Show
        when={adding.isOpen()}
        fallback={
          <div class={styles.add}>
            <Button ref={adding.buttonRef} icon="plus" onClick={() => adding.toggle()}>
              {t("contacts.addOf")}
            </Button>
          </div>
        }
      >
        <ContactForm address={props.address} onDone={adding.close} onCancel={adding.close} />
      </Show>
    </Show>
  );
}
