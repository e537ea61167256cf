/** Component: the end of a form that makes a wallet, with its submit button. It says what is still missing, and waits for it. */
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { GateActions } from "../../ui/Gate.tsx";
import { readinessOf } from "./readiness.ts";
import { StartNotice } from "./StartNotice.tsx";

/** `text`: of the submit button while it is not busy. `disabled`: for a reason of the form's own. */
export function MakeActions(props: {
  text: string;
  busy: boolean;
  disabled?: boolean;
  onBack: () => void;
}) {
  const { snapshot } = useWallet();
  const isWaiting = () => readinessOf(snapshot) !== "ready" && !props.busy;
  return (
    <>
      <StartNotice />
      <GateActions>
        <Button
          kind="primary"
          type="submit"
          wide
          busy={props.busy}
          disabled={isWaiting() || props.disabled === true}
        >
          {props.busy ? t("passphrase.working") : props.text}
        </Button>
        <Button kind="quiet" wide icon="back" onClick={() => props.onBack()}>
          {t("form.back")}
        </Button>
      </GateActions>
    </>
  );
}
