/** Form field components: one line or several lines of text, with label, hint and error. */
import { createUniqueId, Show, splitProps, type JSX } from "solid-js";
import styles from "./Field.module.css";

type FieldFrame = {
  label: string;
  /** Shown below while nothing is wrong. */
  hint?: string | undefined;
  /** What is wrong, as a sentence; null when nothing is. */
  error?: string | null | undefined;
  /** Beside the label: a counter, for example. */
  aside?: string | undefined;
  /** Buttons inside the box. */
  tools?: JSX.Element;
};

const FRAME = ["label", "hint", "error", "aside", "tools"] as const;

/** One line of text with its label. */
export function TextField(props: FieldFrame & JSX.InputHTMLAttributes<HTMLInputElement>) {
  const id = createUniqueId();
  const [frame, rest] = splitProps(props, FRAME);
  return (
    <Frame id={id} {...frame}>
      <input
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        {...rest}
        id={id}
        class={styles.control}
        aria-invalid={frame.error ? "true" : undefined}
        aria-describedby={`${id}-below`}
      />
    </Frame>
  );
}

/** Several lines of text with their label. */
export function TextArea(props: FieldFrame & JSX.TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = createUniqueId();
  const [frame, rest] = splitProps(props, FRAME);
  return (
    <Frame id={id} {...frame}>
      <textarea
        autocomplete="off"
        spellcheck={false}
        {...rest}
        id={id}
        class={styles.control}
        aria-invalid={frame.error ? "true" : undefined}
        aria-describedby={`${id}-below`}
      />
    </Frame>
  );
}

function Frame(props: FieldFrame & { id: string; children: JSX.Element }) {
  return (
    <div class={styles.field}>
      <div class={styles.head}>
        <label class={styles.label} for={props.id}>
          {props.label}
        </label>
        <Show when={props.aside}>
          <span class={`${styles.aside} number`}>{props.aside}</span>
        </Show>
      </div>
      <div class={styles.box} data-wrong={props.error ? "true" : "false"}>
        {props.children}
        <Show when={props.tools}>
          <div class={styles.tools}>{props.tools}</div>
        </Show>
      </div>
      <p
        id={`${props.id}-below`}
        class={styles.below}
        aria-live="polite"
        classList={{ [styles.wrong ?? ""]: Boolean(props.error) }}
      >
        {props.error ?? props.hint}
      </p>
    </div>
  );
}
