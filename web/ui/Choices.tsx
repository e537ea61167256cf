/** Component: a group of radio buttons. */
import { createUniqueId, For } from "solid-js";
import styles from "./Choices.module.css";

/** A choice of one among a few, all of them visible. */
export function Choices<T extends string>(props: {
  label: string;
  /** `lang` is the language of the text, where it is not that of the page. */
  options: readonly { readonly value: T; readonly text: string; readonly lang?: string }[];
  value: T;
  onChange: (value: T) => void;
}) {
  const name = createUniqueId();
  const inputs = new Map<T, HTMLInputElement>();
  const choose = (value: T) => {
    props.onChange(value);
    // A choice that is not taken, or not yet, is not shown as taken.
    const shown = inputs.get(props.value);
    if (shown !== undefined) shown.checked = true;
  };
  return (
    <fieldset class={styles.choices}>
      <legend class="visually-hidden">{props.label}</legend>
      <For each={props.options}>
        {(option) => (
          <label class={styles.choice}>
            <input
              ref={(input) => inputs.set(option.value, input)}
              type="radio"
              name={name}
              checked={option.value === props.value}
              onChange={() => choose(option.value)}
            />
            <span lang={option.lang}>{option.text}</span>
          </label>
        )}
      </For>
    </fieldset>
  );
}
