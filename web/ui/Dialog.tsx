/** Component: a modal dialog. */
import { createUniqueId, onCleanup, onMount, type JSX } from "solid-js";
import { t } from "../i18n/translate.ts";
import styles from "./Dialog.module.css";
import { Icon } from "./Icon.tsx";

/** A modal dialog, open while it is mounted. The platform keeps the focus inside and closes on Escape. */
export function Dialog(props: { title: string; onClose: () => void; children: JSX.Element }) {
  const titleId = createUniqueId();
  let dialog: HTMLDialogElement | undefined;
  onMount(() => dialog?.showModal());
  onCleanup(() => dialog?.close());
  return (
    <dialog
      ref={dialog}
      class={styles.dialog}
      aria-labelledby={titleId}
      on:cancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog) props.onClose();
      }}
    >
      <div class={styles.head}>
        <h2 id={titleId} class={styles.title}>
          {props.title}
        </h2>
        <button
          type="button"
          class={styles.close}
          aria-label={t("dialog.close")}
          onClick={() => props.onClose()}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class={styles.body}>{props.children}</div>
    </dialog>
  );
}
