/** Component: the way back from a new wallet to those that are there. */
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";

/** The button; it leads to the wallet that was open, `to`. */
export function BackToWallets(props: { to: string }) {
  const client = useWallet();
  const going = createTask(() => client.chooseWallet(props.to));
  return (
    <>
      <ErrorNotice error={going.error()} />
      <Button kind="quiet" wide icon="back" busy={going.busy()} onClick={() => void going.run()}>
        {t("wallets.back")}
      </Button>
    </>
  );
}
