/** Component of the settings: chooses the node that the wallet talks to. */
import { createSignal, onMount, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { BUILD_NODES, chooseNode, currentNode } from "../../state/nodeChoice.ts";
import { listedNodes } from "../../state/nodeOrigins.ts";
import { NODE_HREF } from "../../state/router.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { nodeRefusal } from "./nodeRefusal.ts";
import styles from "./Settings.module.css";

/** The node of this load of the page. */
const NODE_AT_START = currentNode();

/** Form for the node that the wallet talks to. A node that this build does not list is refused with the reason. */
export function NodeChoice() {
  const [text, setText] = createSignal(currentNode());
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const listed = listedNodes(BUILD_NODES, location.origin);
  let form: HTMLFormElement | undefined;
  // Whoever came here for another node sees the field at once.
  onMount(() => {
    if (location.hash === NODE_HREF) setTimeout(() => form?.scrollIntoView({ block: "center" }));
  });
  const submit = () => {
    const address = chooseNode(text());
    setRefusal(nodeRefusal(address, listed));
    // The wallet worker knows one node from its start on.
    if (address.kind === "usable" && address.url !== NODE_AT_START) location.reload();
  };
  return (
    <form
      ref={form}
      class={styles.form}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={t("node.label")}
        inputmode="url"
        hint={
          listed === null ? t("node.hintAny") : t("node.hintListed", { nodes: listed.join(", ") })
        }
        error={refusal()}
        value={text()}
        onInput={(event) => {
          setRefusal(null);
          setText(event.currentTarget.value);
        }}
      />
      <div class={styles.buttons}>
        <Show when={text().trim() !== NODE_AT_START}>
          <Button type="submit">{t("node.use")}</Button>
        </Show>
      </div>
    </form>
  );
}
