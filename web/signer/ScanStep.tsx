/** Step of the signer page: reads the codes of a payment, from the camera, images or text. */
import { createSignal, Match, Show, Switch } from "solid-js";
import { t } from "../i18n/translate.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { Choices } from "../ui/Choices.tsx";
import { TextArea } from "../ui/Field.tsx";
import { ErrorNotice, Notice } from "../ui/Notice.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { CameraView } from "../ui/camera/CameraView.tsx";
import { readQrFile } from "../ui/camera/readQr.ts";
import { KeysCard } from "./KeysCard.tsx";
import type { SignerSession } from "./signerSession.ts";
import styles from "./Signer.module.css";

const WAYS = [
  { value: "camera", text: t("signer.scanCamera") },
  { value: "images", text: t("signer.scanImages") },
  { value: "paste", text: t("signer.scanPaste") },
] as const;
type Way = (typeof WAYS)[number]["value"];

/** Reads the codes, however they come. */
export function ScanStep(props: { session: SignerSession; signsOn: readonly string[] }) {
  const [way, setWay] = createSignal<Way>("camera");
  const take = (text: string) => props.session.take(text);
  return (
    <>
      <Card title={t("signer.scanTitle")}>
        <p class={styles.text}>{t("signer.scanText")}</p>
        <Choices label={t("signer.scanWays")} options={WAYS} value={way()} onChange={setWay} />
        <Switch>
          <Match when={way() === "camera"}>
            <CameraView onText={take} />
          </Match>
          <Match when={way() === "images"}>
            <ReadImages onText={take} />
          </Match>
          <Match when={way() === "paste"}>
            <PasteText onText={take} />
          </Match>
        </Switch>
        <Progress session={props.session} />
        <ErrorNotice error={props.session.error}>
          <Button onClick={() => props.session.scan()}>{t("signer.again")}</Button>
        </ErrorNotice>
      </Card>
      <KeysCard session={props.session} networks={props.signsOn} />
    </>
  );
}

function Progress(props: { session: SignerSession }) {
  const progress = () => props.session.progress;
  const text = () =>
    progress().count === 0 ? t("signer.progressNone") : t("signer.progress", progress());
  return (
    <div class={styles.progress}>
      <ProgressBar
        label={t("signer.progressLabel")}
        value={progress().count === 0 ? 0 : progress().known / progress().count}
      />
      <p aria-live="polite" class={styles.note}>
        {text()}
      </p>
    </div>
  );
}

function ReadImages(props: { onText: (text: string) => void }) {
  const [busy, setBusy] = createSignal(false);
  const [unreadable, setUnreadable] = createSignal(0);
  let input: HTMLInputElement | undefined;
  const readAll = async (files: readonly File[]) => {
    setBusy(true);
    setUnreadable(0);
    for (const file of files.slice(0, PAGE_LIMITS.signerImagesMax)) {
      await readQrFile(file).then(props.onText, () => setUnreadable((count) => count + 1));
    }
    setBusy(false);
  };
  return (
    <div class={styles.images}>
      <input
        ref={(element) => {
          input = element;
        }}
        class="visually-hidden"
        type="file"
        accept="image/*"
        multiple
        tabindex="-1"
        aria-label={t("signer.imagesLabel")}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          void readAll(files);
        }}
      />
      <Button busy={busy()} icon="plus" onClick={() => input?.click()}>
        {t("signer.imagesChoose")}
      </Button>
      <p class={styles.note}>{t("signer.imagesHint")}</p>
      <Show when={unreadable() > 0}>
        <Notice kind="warning">{t("signer.imagesNone", { count: unreadable() })}</Notice>
      </Show>
    </div>
  );
}

function PasteText(props: { onText: (text: string) => void }) {
  const [text, setText] = createSignal("");
  const lines = () => text().split(/\s+/).filter(Boolean);
  return (
    <div class={styles.images}>
      <TextArea
        label={t("signer.pasteLabel")}
        hint={t("signer.pasteHint")}
        rows={4}
        maxlength={PAGE_LIMITS.signerPasteChars}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button
        disabled={lines().length === 0}
        onClick={() => {
          for (const line of lines()) props.onText(line);
          setText("");
        }}
      >
        {t("signer.pasteTake")}
      </Button>
    </div>
  );
}
