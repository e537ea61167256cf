/** Form that verifies a signed message in this browser, and states the limits of the proof. */
import { createSignal, Match, Show, Switch } from "solid-js";
import type { AddressRefusal, SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { pastedMessage } from "@svc/shared/signer/messages/judgeSignedMessage.ts";
import { fitsMessage, readSignedMessage } from "@svc/shared/signer/messages/signedMessageText.ts";
import { SIGNER_LIMITS } from "@svc/shared/signer/signerLimits.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { countText } from "../../i18n/format.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { AddressText } from "../../ui/AddressText.tsx";
import { Button } from "../../ui/Button.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import styles from "../settings/Settings.module.css";
import { MessageShown } from "./MessageShown.tsx";

const NOTHING: SignedMessage = { address: "", message: "", signature: "" };
const SIGNATURE = /^[0-9a-f]{320}$/;

const REFUSALS: { readonly [R in AddressRefusal]: PlainKey } = {
  BadFvk: "verify.BadFvk",
  AddressMismatch: "verify.AddressMismatch",
  BadKey: "verify.BadKey",
  BadSignature: "verify.BadSignature",
};

/** What was judged, and how. */
type Verdict = { readonly signed: SignedMessage; readonly refusal: AddressRefusal | null };

/** The form and its verdict, which goes when anything is changed. */
export function VerifyMessage() {
  const { wallet } = useWallet();
  const [typed, setTyped] = createSignal(NOTHING);
  const [verdict, setVerdict] = createSignal<Verdict | null>(null);
  const [submitted, setSubmitted] = createSignal(false);
  const judging = createTask(async (signed: SignedMessage) => {
    setVerdict({ signed, refusal: await wallet.verifyMessage(signed) });
  });
  const change = (next: SignedMessage) => {
    setTyped(next);
    setVerdict(null);
    setSubmitted(false);
    judging.clearError();
  };
  const isSignature = () => SIGNATURE.test(pastedMessage(typed()).signature);
  const submit = () => {
    setSubmitted(true);
    setVerdict(null);
    if (isSignature() && fitsMessage(typed().message)) void judging.run(pastedMessage(typed()));
  };
  return (
    <form
      class={styles.form}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p class={styles.text}>{t("verify.text")}</p>
      <FromFile onRead={change} />
      <Fields typed={typed()} onChange={change} badSignature={submitted() && !isSignature()} />
      <div class={styles.buttons}>
        <Button kind="primary" type="submit" busy={judging.busy()}>
          {t("verify.submit")}
        </Button>
      </div>
      <ErrorNotice error={judging.error()} />
      <div role="status">
        <Show when={verdict()}>{(judged) => <Judged verdict={judged()} />}</Show>
      </div>
    </form>
  );
}

/** The three parts. A whole signed message that is pasted into one of them fills in all. */
function Fields(props: {
  typed: SignedMessage;
  onChange: (next: SignedMessage) => void;
  badSignature: boolean;
}) {
  const take = (part: keyof SignedMessage, text: string) =>
    props.onChange(readSignedMessage(text) ?? { ...props.typed, [part]: text });
  const tooLong = () => t("sign.tooLong", { max: countText(WALLET_LIMITS.signedMessageChars) });
  return (
    <>
      <TextArea
        label={t("verify.address")}
        rows={2}
        value={props.typed.address}
        onInput={(event) => take("address", event.currentTarget.value)}
      />
      <TextArea
        label={t("verify.message")}
        hint={t("verify.messageHint")}
        error={fitsMessage(props.typed.message) ? null : tooLong()}
        rows={4}
        dir="auto"
        value={props.typed.message}
        onInput={(event) => take("message", event.currentTarget.value)}
      />
      <TextArea
        label={t("verify.signature")}
        error={props.badSignature ? t("verify.signatureWrong") : null}
        rows={4}
        value={props.typed.signature}
        onInput={(event) => take("signature", event.currentTarget.value)}
      />
    </>
  );
}

function FromFile(props: { onRead: (signed: SignedMessage) => void }) {
  const [wrong, setWrong] = createSignal(false);
  const read = async (file: File | null | undefined) => {
    setWrong(false);
    if (file === null || file === undefined) return;
    const fits = file.size <= SIGNER_LIMITS.signedMessageTextChars;
    const signed = fits ? readSignedMessage(await file.text().catch(() => "")) : null;
    if (signed === null) setWrong(true);
    else props.onRead(signed);
  };
  return (
    <TextField
      label={t("verify.file")}
      error={wrong() ? t("verify.fileWrong") : null}
      type="file"
      accept=".json,application/json"
      onChange={(event) => void read(event.currentTarget.files?.item(0))}
    />
  );
}

function Judged(props: { verdict: Verdict }) {
  return (
    <div class={styles.form} data-testid="verdict" data-refusal={props.verdict.refusal ?? ""}>
      <Switch>
        <Match when={props.verdict.refusal}>
          {(refusal) => (
            <Notice kind="error" title={t("verify.bad")}>
              {t(REFUSALS[refusal()])}
            </Notice>
          )}
        </Match>
        <Match when={props.verdict.refusal === null}>
          <Notice kind="good" title={t("verify.good")}>
            {t("verify.goodText")}
          </Notice>
          <Facts
            rows={[
              {
                label: t("verify.address"),
                value: <AddressText text={props.verdict.signed.address} />,
                wide: true,
              },
              {
                label: t("verify.message"),
                value: <MessageShown text={props.verdict.signed.message} />,
                wide: true,
              },
            ]}
          />
          <p class={styles.text}>{t("verify.limits")}</p>
        </Match>
      </Switch>
    </div>
  );
}
