/** Component: an address to be compared, below the name of the contact who has it. */
import { AddressText } from "../../ui/AddressText.tsx";
import { ContactName } from "./ContactName.tsx";

/** The address whole; its contact's name never stands without it. */
export function NamedAddress(props: { address: string }) {
  return (
    <>
      <ContactName address={props.address} />
      <AddressText text={props.address} />
    </>
  );
}
