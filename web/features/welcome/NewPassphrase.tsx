/** Form fields for a new passphrase, with their validation. */
import { createSignal } from "solid-js";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { sentenceOf } from "../../i18n/sentence.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { PassphraseField } from "../../ui/PassphraseField.tsx";
import { passphraseFault } from "./passphraseFault.ts";
import { passphraseStrength, type PassphraseStrength } from "./passphraseStrength.ts";

const STRENGTHS: { readonly [S in Exclude<PassphraseStrength, "none">]: PlainKey } = {
  weak: "passphrase.weak",
  fair: "passphrase.fair",
  strong: "passphrase.strong",
};

/** Form model of a new passphrase, which is typed twice. An error stands beside its field until it is corrected. */
export function createNewPassphrase() {
  const [first, setFirst] = createSignal("");
  const [second, setSecond] = createSignal("");
  const [submitted, setSubmitted] = createSignal(false);
  const fault = () => (submitted() ? passphraseFault(first(), second()) : null);
  /** The passphrase, or null after saying what is wrong with it. */
  const agreed = (): string | null => {
    setSubmitted(true);
    return fault() === null ? first() : null;
  };
  return { first, setFirst, second, setSecond, fault, agreed };
}

function shortText(): string {
  return sentenceOf(
    new SvcError("wallet/weak-passphrase", { min: PAGE_LIMITS.passphraseMinChars }),
  );
}

/** What helps to choose one: how strong it is, once it is long enough to be taken. */
function hintOf(text: string): string {
  const strength = passphraseStrength(text);
  if (strength === "none") return t("passphrase.hint", { min: PAGE_LIMITS.passphraseMinChars });
  return t(STRENGTHS[strength]);
}

/** The two fields of a new passphrase. */
export function NewPassphrase(props: {
  passphrase: ReturnType<typeof createNewPassphrase>;
  autofocus?: boolean;
  /** Name of the first field, where the form has another passphrase, too. */
  label?: string;
}) {
  return (
    <>
      <PassphraseField
        label={props.label ?? t("passphrase.label")}
        purpose="new-password"
        autofocus={props.autofocus === true}
        value={props.passphrase.first()}
        onChange={props.passphrase.setFirst}
        hint={hintOf(props.passphrase.first())}
        error={props.passphrase.fault() === "short" ? shortText() : null}
      />
      <PassphraseField
        label={t("passphrase.again")}
        purpose="new-password"
        value={props.passphrase.second()}
        onChange={props.passphrase.setSecond}
        error={props.passphrase.fault() === "different" ? t("passphrase.differs") : null}
      />
    </>
  );
}
