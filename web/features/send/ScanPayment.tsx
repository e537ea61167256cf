/** Dialog: reads a payment code with the camera, or out of an image. */
import { createSignal } from "solid-js";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { lowerCaseAddress } from "@svc/shared/wallet/plan/payee.ts";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/Button.tsx";
import { CameraView } from "../../ui/camera/CameraView.tsx";
import { readQrFile } from "../../ui/camera/readQr.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";

/** Hands on the first text that is read, and closes. The camera is off when the dialog is gone. */
export default function ScanPayment(props: {
  onText: (text: string) => void;
  onClose: () => void;
}) {
  const [error, setError] = createSignal<ErrorJson | null>(null);
  let input: HTMLInputElement | undefined;
  let isDone = false;
  const take = (text: string) => {
    if (isDone) return;
    isDone = true;
    // Codes of capital letters alone are smaller, so some have them.
    props.onText(lowerCaseAddress(text.trim()));
    props.onClose();
  };
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    setError(null);
    await readQrFile(file).then(take, (thrown: unknown) =>
      setError(SvcError.from(thrown).toJSON()),
    );
  };
  return (
    <Dialog title={t("scan.title")} onClose={props.onClose}>
      <p>{t("scan.text")}</p>
      <CameraView onText={take} />
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept="image/*"
        tabindex="-1"
        aria-label={t("scan.imageLabel")}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = "";
          void read(file);
        }}
      />
      <ErrorNotice error={error()} />
      <Button icon="plus" onClick={() => input?.click()}>
        {t("scan.image")}
      </Button>
    </Dialog>
  );
}
