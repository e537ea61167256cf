/** Layout components of the screens before a wallet is open. */
import { Show, type JSX } from "solid-js";
import markUrl from "./mark.svg";
import styles from "./Gate.module.css";

/** The frame of every screen before the wallet is open: one column, one task. */
export function Gate(props: {
  title: string;
  text?: string;
  foot?: string;
  children: JSX.Element;
}) {
  return (
    <main class={styles.gate}>
      <div class={styles.middle}>
        <div class={styles.head}>
          <img class={styles.mark} src={markUrl} alt="" width="44" height="44" />
          <h1 class={styles.title}>{props.title}</h1>
          <Show when={props.text}>
            <p class={styles.text}>{props.text}</p>
          </Show>
        </div>
        {props.children}
      </div>
      <p class={styles.foot}>{props.foot}</p>
    </main>
  );
}

/** A form inside a gate; `onSubmit` replaces the browser's own sending. */
export function GateForm(props: { onSubmit: () => void; children: JSX.Element }) {
  return (
    <form
      class={styles.form}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.children}
    </form>
  );
}

/** The buttons below a gate's form. */
export function GateActions(props: { children: JSX.Element }) {
  return <div class={styles.actions}>{props.children}</div>;
}
