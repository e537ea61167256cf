import { createUniqueId, For } from "solid-js";
import styles from "./Choices.module.css";

/** One of a few, all in sight. */
export function Choices<T extends string>(props: {
  label: string;
  options: readonly { readonly value: T; readonly text: string }[];
  value: T;
  onChange: (value: T) => void;
}) {
  const name = createUniqueId();
  return (
    <fieldset class={styles.choices}>
      <legend class="visually-hidden">{props.label}</legend>
      <For each={props.options}>
        {(option) => (
          <label class={styles.choice}>
            <input
              type="radio"
              name={name}
              checked={option.value === props.value}
              onChange={() => props.onChange(option.value)}
            />
            <span>{option.text}</span>
          </label>
        )}
      </For>
    </fieldset>
  );
}
