/** Form of one short text of the owner's own: a name, or a remark. */
import { createSignal } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import styles from "./NameForm.module.css";

/** What the form asks for, and what it does with it; an empty text takes the name away. */
type NameFormProps = {
  readonly label: string;
  readonly hint: string;
  /** UTF-16 units that the field takes at most. */
  readonly maxlength: number;
  readonly text: string;
  readonly onSave: (text: string) => Promise<void>;
  /** Called when the text is saved, and when it is not to be. */
  readonly onDone: () => void;
};

/** The form, which takes the keyboard's place. What keeps the text from being saved is shown in it. */
export function NameForm(props: NameFormProps) {
  const [text, setText] = createSignal(props.text);
  const saving = createTask(async () => {
    await props.onSave(text());
    props.onDone();
  });
  return (
    <form
      class={styles.naming}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void saving.run();
      }}
    >
      <TextField
        label={props.label}
        hint={props.hint}
        maxlength={props.maxlength}
        dir="auto"
        ref={(input) => queueMicrotask(() => input.focus())}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <ErrorNotice error={saving.error()} />
      <div class={styles.actions}>
        <Button onClick={() => props.onDone()}>{t("form.cancel")}</Button>
        <Button kind="primary" type="submit" busy={saving.busy()}>
          {t("form.save")}
        </Button>
      </div>
    </form>
  );
}
