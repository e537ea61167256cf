/** Components: an inline notice, and one for errors. */
import { Show, type JSX } from "solid-js";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { sentenceOf } from "../i18n/sentence.ts";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./Notice.module.css";

type NoticeKind = "info" | "good" | "warning" | "error";

const ICONS: { readonly [K in NoticeKind]: IconName } = {
  info: "info",
  good: "check",
  warning: "alert",
  error: "alert",
};

/** A remark beside the work. Errors are announced. */
export function Notice(props: { kind: NoticeKind; title?: string; children?: JSX.Element }) {
  return (
    <div
      class={`${styles.notice} ${styles[props.kind]}`}
      role={props.kind === "error" ? "alert" : undefined}
    >
      <span class={styles.icon}>
        <Icon name={ICONS[props.kind]} size={18} />
      </span>
      <div class={styles.body}>
        <Show when={props.title}>
          <p class={styles.title}>{props.title}</p>
        </Show>
        {props.children}
      </div>
    </div>
  );
}

/** The sentence of an error, and what helps below it; nothing when there is none. */
export function ErrorNotice(props: { error: ErrorJson | null; children?: JSX.Element }) {
  return (
    <Show when={props.error}>
      {(error) => (
        <Notice kind="error">
          <p>{sentenceOf(error())}</p>
          {props.children}
        </Notice>
      )}
    </Show>
  );
}
