/** Component: a passphrase field that can be made readable. */
import { createSignal } from "solid-js";
import { t } from "../i18n/translate.ts";
import { TextField } from "./Field.tsx";
import { Icon } from "./Icon.tsx";
import styles from "./PassphraseField.module.css";

/** A passphrase: hidden until its owner wants to see it. */
export function PassphraseField(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string | undefined;
  error?: string | null | undefined;
  /** For password managers. */
  purpose: "new-password" | "current-password";
  autofocus?: boolean;
}) {
  const [shown, setShown] = createSignal(false);
  return (
    <TextField
      label={props.label}
      type={shown() ? "text" : "password"}
      autocomplete={props.purpose}
      autofocus={props.autofocus === true}
      value={props.value}
      onInput={(event) => props.onChange(event.currentTarget.value)}
      hint={props.hint}
      error={props.error}
      tools={
        <button
          type="button"
          class={styles.toggle}
          aria-pressed={shown()}
          aria-label={t(shown() ? "passphrase.hide" : "passphrase.show")}
          onClick={() => setShown(!shown())}
        >
          <Icon name="eye" />
        </button>
      }
    />
  );
}
