/** Component: the choice of the page's language. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { locale } from "../../i18n/language.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { chooseLanguage } from "../../state/language/languageChoice.ts";
import { Choices } from "../../ui/Choices.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import styles from "./LanguageChoice.module.css";

/** Each language by the name that its speakers give it. */
const LANGUAGES: readonly { readonly value: PageLocale; readonly text: string }[] = [
  { value: "en", text: "English" },
  { value: "de", text: "Deutsch" },
  { value: "es", text: "Español" },
];

/** The languages, the shown one marked. What is chosen is kept for later visits. */
export function LanguageChoice(props: { centred?: boolean }) {
  const choosing = createTask(chooseLanguage);
  return (
    <div class={styles.language} data-centred={props.centred === true}>
      <Choices
        label={t("language.label")}
        options={LANGUAGES.map((each) => ({ ...each, lang: each.value }))}
        value={locale()}
        onChange={(next) => void choosing.run(next)}
      />
      <ErrorNotice error={choosing.error()} />
    </div>
  );
}
