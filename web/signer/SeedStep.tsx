/** Step of the signer page: the seed, typed or made. */
import { createSignal, For, onCleanup, Show } from "solid-js";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { readSeedText, SEED_DIGITS, seedCheck } from "@svc/shared/wallet/state/seedText.ts";
import { digitsOf, seedFault, seedHint } from "../i18n/seedTexts.ts";
import { t } from "../i18n/translate.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { TextField } from "../ui/Field.tsx";
import { Icon } from "../ui/Icon.tsx";
import { ErrorNotice } from "../ui/Notice.tsx";
import type { SignerSession } from "./signerSession.ts";
import styles from "./Signer.module.css";

/** Digits that stand together. */
const GROUP = 8;

/** Asks for a seed, or makes one. */
export function SeedStep(props: { session: SignerSession }) {
  const [made, setMade] = createSignal<Uint8Array | null>(null);
  const forget = () => {
    made()?.fill(0);
    setMade(null);
  };
  onCleanup(forget);
  return (
    <Show
      when={made()}
      fallback={
        <TypeSeed session={props.session} onMake={() => setMade(props.session.newSeed())} />
      }
    >
      {(seed) => (
        <NewSeed
          seed={seed()}
          onBack={forget}
          onWritten={() => props.session.open(seed().slice())}
        />
      )}
    </Show>
  );
}

function TypeSeed(props: { session: SignerSession; onMake: () => void }) {
  const [text, setText] = createSignal("");
  const [shown, setShown] = createSignal(false);
  const [submitted, setSubmitted] = createSignal(false);
  const typed = () => readSeedText(text());
  const submit = () => {
    setSubmitted(true);
    const read = typed();
    if (read.kind !== "seed") return;
    setText("");
    setSubmitted(false);
    props.session.open(read.seed);
  };
  onCleanup(() => setText(""));
  return (
    <Card title={t("signer.seedTitle")}>
      <p class={styles.text}>{t("signer.seedText")}</p>
      <form
        class={styles.form}
        novalidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={t("restore.seed")}
          aside={t("restore.seedCount", { count: digitsOf(text()), max: SEED_DIGITS })}
          hint={text() === "" ? t("restore.seedHint") : seedHint(typed())}
          error={seedFault(typed(), submitted())}
          autofocus
          // Not of type password: no program is to offer to keep it.
          data-masked={!shown()}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
          tools={
            <button
              type="button"
              class={styles.toggle}
              aria-pressed={shown()}
              aria-label={t(shown() ? "signer.seedHide" : "signer.seedShow")}
              onClick={() => setShown(!shown())}
            >
              <Icon name="eye" />
            </button>
          }
        />
        <ErrorNotice error={props.session.error} />
        <div class={styles.actions}>
          <Button kind="quiet" icon="plus" onClick={() => props.onMake()}>
            {t("signer.seedMake")}
          </Button>
          <Button kind="primary" type="submit">
            {t("signer.seedOpen")}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function NewSeed(props: { seed: Uint8Array; onBack: () => void; onWritten: () => void }) {
  const digits = () => encodeHex(props.seed) + seedCheck(props.seed);
  const groups = () => digits().match(new RegExp(`.{1,${GROUP}}`, "g")) ?? [];
  return (
    <Card title={t("signer.newTitle")}>
      <p class={styles.text}>{t("signer.newText")}</p>
      <p class={`${styles.seed} mono`}>
        <For each={groups()}>{(group) => <span>{group}</span>}</For>
      </p>
      <div class={styles.actions}>
        <Button icon="back" onClick={() => props.onBack()}>
          {t("form.back")}
        </Button>
        <Button kind="primary" onClick={() => props.onWritten()}>
          {t("signer.newWritten")}
        </Button>
      </div>
    </Card>
  );
}
