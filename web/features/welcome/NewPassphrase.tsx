import { createSignal } from "solid-js";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { t } from "../../i18n/translate.ts";
import { PassphraseField } from "../../ui/PassphraseField.tsx";

/** A passphrase being chosen: typed twice. */
export function createNewPassphrase() {
  const [first, setFirst] = createSignal("");
  const [second, setSecond] = createSignal("");
  const [complaint, setComplaint] = createSignal<string | null>(null);
  /** The passphrase, or null after saying that the two differ. */
  const agreed = (): string | null => {
    setComplaint(first() === second() ? null : t("passphrase.differs"));
    return first() === second() ? first() : null;
  };
  return { first, setFirst, second, setSecond, complaint, agreed };
}

/** The two fields of a new passphrase. */
export function NewPassphrase(props: {
  passphrase: ReturnType<typeof createNewPassphrase>;
  autofocus?: boolean;
}) {
  return (
    <>
      <PassphraseField
        label={t("passphrase.label")}
        purpose="new-password"
        autofocus={props.autofocus === true}
        value={props.passphrase.first()}
        onChange={props.passphrase.setFirst}
        hint={t("passphrase.hint", { min: LIMITS.passphraseMinChars })}
      />
      <PassphraseField
        label={t("passphrase.again")}
        purpose="new-password"
        value={props.passphrase.second()}
        onChange={props.passphrase.setSecond}
        error={props.passphrase.complaint()}
      />
    </>
  );
}
