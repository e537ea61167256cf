/** Component: a full screen with one message. */
import { Show, type JSX } from "solid-js";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./Message.module.css";

/** A whole screen that says one thing. */
export function Message(props: {
  icon: IconName;
  title?: string;
  text?: string;
  children?: JSX.Element;
}) {
  return (
    <main class={styles.message}>
      <span class={styles.icon}>
        <Icon name={props.icon} size={28} />
      </span>
      <Show when={props.title}>
        <h1 class={styles.title}>{props.title}</h1>
      </Show>
      <Show when={props.text}>
        <p class={styles.text}>{props.text}</p>
      </Show>
      {props.children}
    </main>
  );
}
