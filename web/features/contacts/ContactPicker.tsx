/** Component: chooses a contact whose address goes into a field; nothing where there are no contacts. */
import { Show } from "solid-js";
import { shortAddress } from "../../i18n/format.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t } from "../../i18n/translate.ts";
import { useContacts } from "../../state/contacts/contacts.ts";
import { SelectField } from "../../ui/Field.tsx";

/** The choice. It shows the contact of the address that is in the field, however it came there. */
export function ContactPicker(props: { address: string; onChoose: (address: string) => void }) {
  const contacts = useContacts();
  const options = () => [
    { value: "", text: t("contacts.chooseNone") },
    ...contacts.all().map(({ address, name }) => ({
      value: address,
      text: `${plainText(name)} · ${shortAddress(address)}`,
    })),
  ];
  return (
    <Show when={contacts.all().length > 0}>
      <SelectField
        label={t("contacts.choose")}
        options={options()}
        value={contacts.at(props.address.trim())?.address ?? ""}
        onChange={(address) => props.onChoose(address)}
      />
    </Show>
  );
}
