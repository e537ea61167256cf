/** Layout components: card and screen. */
import { Show, type JSX } from "solid-js";
import styles from "./Card.module.css";

/** A surface with a heading. */
export function Card(props: { title?: string; aside?: JSX.Element; children: JSX.Element }) {
  return (
    <section class={styles.card}>
      <Show when={props.title}>
        <div class={styles.head}>
          <h2 class={styles.title}>{props.title}</h2>
          {props.aside}
        </div>
      </Show>
      {props.children}
    </section>
  );
}

/** One screen of the wallet: its title and its cards. */
export function Screen(props: { title?: string; children: JSX.Element }) {
  return (
    <div class={styles.screen}>
      <Show when={props.title}>
        <h1 class={styles.screenTitle}>{props.title}</h1>
      </Show>
      {props.children}
    </div>
  );
}
