/** Component: the field for the day on which a wallet was first used (its birthday), and its form model. */
import { createSignal } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { TextField } from "../../ui/Field.tsx";
import type { RestoreFrom } from "../../wallet-api/walletApi.ts";
import { dayText, isInFuture, restoreFrom } from "./restoreDay.ts";

/** The form model of the field. */
export type BirthdayInput = ReturnType<typeof createBirthday>;

/** Makes the form model: the typed day, where to scan from, and whether the day is still to come. */
export function createBirthday() {
  const [day, setDay] = createSignal("");
  const today = new Date();
  return {
    day,
    setDay,
    today,
    isWrong: () => isInFuture(day(), today),
    from: (): RestoreFrom => restoreFrom(day()),
  };
}

/** The field. An empty day means that everything is scanned. */
export function BirthdayField(props: { birthday: BirthdayInput }) {
  const { day, setDay, today, isWrong } = props.birthday;
  return (
    <TextField
      label={t("restore.when")}
      hint={t("restore.whenHint")}
      error={isWrong() ? t("restore.whenFuture") : null}
      type="date"
      max={dayText(today)}
      value={day()}
      onInput={(event) => setDay(event.currentTarget.value)}
    />
  );
}
