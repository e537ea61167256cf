/** Component of the settings: chooses the node to follow and the second one, and adds nodes where the build is for any. */
import { createSignal, onMount, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { BUILD_NODES, keepNodeWish, nodePlace, nodeWish } from "../../state/nodeChoice.ts";
import {
  knownNodes,
  NO_NODE,
  nodeRoles,
  withNode,
  writeNodeWish,
  type NodeWish,
} from "../../state/nodeList.ts";
import { listedNodes } from "../../state/nodeOrigins.ts";
import { NODE_HREF } from "../../state/router.ts";
import { Button } from "../../ui/Button.tsx";
import { SelectField, TextField } from "../../ui/Field.tsx";
import { nodeRefusal } from "./nodeRefusal.ts";
import styles from "./Settings.module.css";

/** Form for the roles of the nodes. What is chosen is used when the page has loaded again: the wallet worker knows its nodes from its start. */
export function NodeChoice(props: { wish: NodeWish; onWish: (wish: NodeWish) => void }) {
  const place = nodePlace();
  const listed = listedNodes(BUILD_NODES, location.origin);
  const atStart = writeNodeWish(nodeWish());
  const isChanged = () => writeNodeWish(props.wish) !== atStart;
  const known = () => knownNodes(props.wish, place);
  const roles = () => nodeRoles(props.wish, place);
  let form: HTMLFormElement | undefined;
  // Whoever came here for another node sees the choice at once.
  onMount(() => {
    if (location.hash === NODE_HREF) setTimeout(() => form?.scrollIntoView({ block: "center" }));
  });
  const seconds = () => [
    ...known()
      .filter((url) => url !== roles().followed)
      .map((url) => ({ value: url, text: url })),
    { value: NO_NODE, text: t("nodes.secondNone") },
  ];
  return (
    <form
      ref={form}
      class={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        keepNodeWish(props.wish);
        location.reload();
      }}
    >
      <p class={styles.text}>
        {listed === null ? t("nodes.any") : t("nodes.listed", { nodes: listed.join(", ") })}
      </p>
      <Show when={known().length > 1}>
        <SelectField
          label={t("nodes.follow")}
          hint={t("nodes.followHint")}
          options={known().map((url) => ({ value: url, text: url }))}
          value={roles().followed}
          onChange={(followed) => props.onWish({ ...props.wish, followed })}
        />
        <SelectField
          label={t("nodes.second")}
          hint={t("nodes.secondHint")}
          options={seconds()}
          value={roles().second ?? NO_NODE}
          onChange={(second) => props.onWish({ ...props.wish, second })}
        />
      </Show>
      <Show when={listed === null}>
        <NodeAdder wish={props.wish} onWish={props.onWish} />
      </Show>
      <div class={styles.buttons}>
        <p class={styles.text} role="status">
          <Show when={isChanged()}>{t("nodes.changed")}</Show>
        </p>
        <Show when={isChanged()}>
          <Button kind="primary" type="submit">
            {t("nodes.use")}
          </Button>
        </Show>
      </div>
    </form>
  );
}

/** Field for the address of one more node. */
function NodeAdder(props: { wish: NodeWish; onWish: (wish: NodeWish) => void }) {
  const [text, setText] = createSignal("");
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const add = () => {
    const added = withNode(props.wish, text(), nodePlace());
    setRefusal(nodeRefusal(added, null));
    if (added.kind !== "added") return;
    props.onWish(added.wish);
    setText("");
  };
  return (
    <TextField
      label={t("nodes.add")}
      inputmode="url"
      error={refusal()}
      value={text()}
      onInput={(event) => {
        setRefusal(null);
        setText(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        // Enter adds the node; it does not use the others meanwhile.
        event.preventDefault();
        add();
      }}
      tools={
        <Button kind="quiet" disabled={text().trim() === ""} onClick={add}>
          {t("nodes.addSubmit")}
        </Button>
      }
    />
  );
}
