/** Component: the error notice of the wallet, with the button that helps against the error. */
import { Show } from "solid-js";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { isHealedByScan } from "./healing.ts";

/**
 * The problem that stops the wallet, with the one button that helps where there is one: then in words of its own, because
 * the node's sentence names a block that nobody knows.
 */
export function ProblemNotice(props: { problem: ErrorJson | null }) {
  const isFalseRecord = () => props.problem?.code === "wallet/false-record";
  const healed = () => props.problem !== null && isHealedByScan(props.problem);
  return (
    <Show when={healed()} fallback={<ErrorNotice error={props.problem} />}>
      <Notice kind="error" title={t("problem.title")}>
        <p>{isFalseRecord() ? sentenceOrNull(props.problem) : t("problem.scanHelps")}</p>
        <RescanButton />
      </Notice>
    </Show>
  );
}

/** Scans the whole chain again; nothing in a tab that follows another one. */
export function RescanButton() {
  const { snapshot, wallet } = useWallet();
  const scanning = createTask(() => wallet.rescan("genesis"));
  return (
    <Show when={!snapshot.tabs.following}>
      <Button icon="history" busy={scanning.busy()} onClick={() => void scanning.run()}>
        {t("problem.scan")}
      </Button>
      <ErrorNotice error={scanning.error()} />
    </Show>
  );
}
