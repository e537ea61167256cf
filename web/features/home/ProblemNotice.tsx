import { Show } from "solid-js";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { isHealedByScan } from "./healing.ts";

/** What stands in the wallet's way, with the one button that helps where there is one. */
export function ProblemNotice(props: { problem: ErrorJson | null }) {
  return (
    <ErrorNotice error={props.problem}>
      <Show when={props.problem !== null && isHealedByScan(props.problem)}>
        <p>{t("problem.scanHelps")}</p>
        <RescanButton />
      </Show>
    </ErrorNotice>
  );
}

/** Scans the whole chain again. */
export function RescanButton() {
  const { engine } = useWallet();
  const scanning = createTask(() => engine.rescan("genesis"));
  return (
    <>
      <Button icon="history" busy={scanning.busy()} onClick={() => void scanning.run()}>
        {t("problem.scan")}
      </Button>
      <ErrorNotice error={scanning.error()} />
    </>
  );
}
