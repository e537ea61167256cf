/** Seed backup screen: shows the seed to be written down and asks for parts of it as a check. */
import { createSignal, For, Show } from "solid-js";
import { SEED_DIGITS } from "@svc/shared/wallet/state/seedText.ts";
import { Gate, GateActions, GateForm } from "../../ui/Gate.tsx";
import { dateText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import styles from "./Backup.module.css";
import { GROUP_DIGITS, groupsMatch, pickGroups, seedGroups } from "./seedGroups.ts";

const ASKED = 2;

/** Shows the seed once, then asks for parts of it. */
export function Backup(props: { seed: Uint8Array }) {
  const [checking, setChecking] = createSignal(false);
  return (
    <Show
      when={checking()}
      fallback={<ShowSeed seed={props.seed} onWritten={() => setChecking(true)} />}
    >
      <CheckSeed seed={props.seed} onAgain={() => setChecking(false)} />
    </Show>
  );
}

function ShowSeed(props: { seed: Uint8Array; onWritten: () => void }) {
  const client = useWallet();
  const [shown, setShown] = createSignal(false);
  return (
    <Gate title={t("backup.title")} text={t("backup.text")}>
      <SeedGroups seed={props.seed} hidden={!shown()} />
      <Notice kind="info">{t("backup.date", { date: dateText(Date.now()) })}</Notice>
      <GateActions>
        <Show
          when={shown()}
          fallback={
            <Button kind="primary" wide icon="eye" onClick={() => setShown(true)}>
              {t("backup.show")}
            </Button>
          }
        >
          <Button kind="primary" wide onClick={() => props.onWritten()}>
            {t("backup.written")}
          </Button>
        </Show>
        <Button kind="quiet" wide onClick={() => client.forgetSeed()}>
          {t("backup.later")}
        </Button>
      </GateActions>
    </Gate>
  );
}

/** The name of a group, from its index: the one after the seed's own is the check. */
function groupName(index: number): string {
  return index * GROUP_DIGITS < SEED_DIGITS
    ? t("backup.group", { number: index + 1 })
    : t("backup.check");
}

/** The seed in numbered groups, blurred while `hidden`. */
export function SeedGroups(props: { seed: Uint8Array; hidden: boolean }) {
  return (
    <ol class={styles.seed} data-hidden={props.hidden} data-testid="seed">
      <For each={seedGroups(props.seed)}>
        {(group, index) => (
          <li class={styles.group}>
            <span class={styles.number}>{groupName(index())}</span>
            <span class={styles.letters} aria-hidden={props.hidden}>
              {props.hidden ? "········" : group}
            </span>
          </li>
        )}
      </For>
    </ol>
  );
}

function CheckSeed(props: { seed: Uint8Array; onAgain: () => void }) {
  const client = useWallet();
  const asked = pickGroups(SEED_DIGITS / GROUP_DIGITS, ASKED);
  const [typed, setTyped] = createSignal<readonly string[]>(asked.map(() => ""));
  const [wrong, setWrong] = createSignal(false);
  const confirming = createTask(() => client.confirmBackup());
  const submit = () => {
    const right = groupsMatch(props.seed, asked, typed());
    setWrong(!right);
    if (right) void confirming.run();
  };
  const type = (index: number, text: string) => {
    setWrong(false);
    setTyped(typed().map((old, at) => (at === index ? text : old)));
  };
  return (
    <Gate title={t("backup.checkTitle")} text={t("backup.checkText")}>
      <GateForm onSubmit={submit}>
        <div class={styles.questions}>
          <For each={asked}>
            {(group, index) => (
              <TextField
                label={groupName(group)}
                autofocus={index() === 0}
                maxlength={16}
                value={typed()[index()] ?? ""}
                onInput={(event) => type(index(), event.currentTarget.value)}
              />
            )}
          </For>
        </div>
        <Show when={wrong()}>
          <Notice kind="error">{t("backup.wrong")}</Notice>
        </Show>
        <ErrorNotice error={confirming.error()} />
        <GateActions>
          <Button kind="primary" type="submit" wide busy={confirming.busy()}>
            {t("backup.confirm")}
          </Button>
          <Button kind="quiet" wide icon="back" onClick={() => props.onAgain()}>
            {t("backup.again")}
          </Button>
        </GateActions>
      </GateForm>
    </Gate>
  );
}
