/** Disclosure below the history: saves the entries that the list shows as a file. */
import type { HistoryForm, HistoryQuery } from "../../wallet-api/walletApi.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { saveFile } from "../../ui/saveFile.ts";
import styles from "./History.module.css";
import { historyFileName } from "./historyFileName.ts";

const TYPES: { readonly [F in HistoryForm]: string } = {
  csv: "text/csv;charset=utf-8",
  json: "application/json",
};

/** `query`: what the list shows. `count`: how many entries that is, those below the last shown one included. */
export function HistoryFile(props: { query: Omit<HistoryQuery, "limit">; count: number }) {
  const { wallet } = useWallet();
  const saving = createTask(async (form: HistoryForm) => {
    const text = await wallet.historyFile(props.query, form);
    saveFile(text, historyFileName(form, Date.now()), TYPES[form]);
  });
  return (
    <details class={styles.file}>
      <summary>{t("historyFile.title")}</summary>
      <p>{t("historyFile.text", { count: props.count })}</p>
      <div class={styles.fileActions}>
        <Button disabled={saving.busy()} onClick={() => void saving.run("csv")}>
          {t("historyFile.csv")}
        </Button>
        <Button disabled={saving.busy()} onClick={() => void saving.run("json")}>
          {t("historyFile.json")}
        </Button>
      </div>
      <ErrorNotice error={saving.error()} />
    </details>
  );
}
