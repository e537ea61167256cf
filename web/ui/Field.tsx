/** Form field components: one line or several lines of text, or a choice, with label, hint and error. */
import { createUniqueId, For, Show, splitProps, type JSX } from "solid-js";
import styles from "./Field.module.css";

type FieldFrame = {
  label: string;
  /** Shown below while nothing is wrong. */
  hint?: string | undefined;
  /** What is wrong, as a sentence; null when nothing is. */
  error?: string | null | undefined;
  /** Beside the label: a counter, for example. */
  aside?: string | undefined;
  /** For an address: as wide as its letters are, each as wide as the others. */
  address?: boolean;
  /** Buttons inside the box. */
  tools?: JSX.Element;
};

const FRAME = ["label", "hint", "error", "aside", "address", "tools"] as const;

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

/** A choice of one of several values, with its label. */
export function SelectField(props: {
  label: string;
  hint?: string;
  options: readonly { readonly value: string; readonly text: string }[];
  value: string;
  onChange: (value: string) => void;
}) {
  const id = createUniqueId();
  return (
    <Frame id={id} label={props.label} hint={props.hint}>
      <select
        id={id}
        class={styles.control}
        aria-describedby={`${id}-below`}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        <For each={props.options}>
          {({ value, text }) => (
            <option value={value} selected={value === props.value}>
              {text}
            </option>
          )}
        </For>
      </select>
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
      <div
        class={styles.box}
        data-wrong={props.error ? "true" : "false"}
        data-address={props.address === true}
      >
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
