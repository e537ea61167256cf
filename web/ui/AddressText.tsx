/** Component: an address to be compared, in groups; copied, it is one word. */
import { For } from "solid-js";
import styles from "./AddressText.module.css";

/** The groups of an address: its prefix with the colon, then five letters each. */
function groupsOf(address: string): readonly string[] {
  const data = address.indexOf(":") + 1;
  const groups = address.slice(data).match(/.{1,5}/gu) ?? [];
  return data === 0 ? groups : [address.slice(0, data), ...groups];
}

/** An address whole, with room between its groups. A line ends between two of them only. */
export function AddressText(props: { text: string }) {
  return (
    <span class={styles.address} dir="ltr">
      <For each={groupsOf(props.text)}>
        {(group) => (
          <>
            <span class={styles.group}>{group}</span>
            <wbr />
          </>
        )}
      </For>
    </span>
  );
}
