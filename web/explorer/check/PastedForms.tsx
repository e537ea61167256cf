/** Components: forms for a disclosure, an address and a signed message. What is typed here is checked in the browser. */
import { createSignal, Match, Show, Switch, type JSX } from "solid-js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { AddressReport, DisclosureReport } from "./checkPasted.ts";
import type { CheckReport } from "./checkReport.ts";
import type { CheckTexts } from "./checkTexts.ts";
import { Steps, Verdict } from "./CheckPanel.tsx";

/** A form on its way. */
type Stage<R> = "idle" | "running" | { readonly report: R } | { readonly code: string };

/** The form of a disclosure. */
export function DisclosureForm(props: {
  texts: CheckTexts;
  check: (text: string, txid: string) => Promise<DisclosureReport>;
}) {
  const { t } = props.texts;
  return (
    <PastedForm
      texts={props.texts}
      name="disclosure"
      button={t("disclosure.check")}
      note={t("disclosure.privacy")}
      run={(fields) => props.check(fields("text"), fields("txid"))}
      answer={(report) => (
        <>
          <Verdict texts={props.texts} kind="disclosure" report={report} />
          <Show when={report.disclosed}>
            {(shown) => (
              <>
                <p class="check-verdict" data-testid="effect" data-effect={report.effect}>
                  {t(`disclosure.${report.effect}`)}
                </p>
                <dl class="check-facts" data-testid="disclosed">
                  <Fact label={t("disclosure.recipient")} value={shown().address} />
                  <Fact label={t("disclosure.amount")} value={props.texts.coins(shown().value)} />
                  <Fact
                    label={t("disclosure.memo")}
                    value={shown().memo ?? t("disclosure.noMemo")}
                  />
                </dl>
              </>
            )}
          </Show>
          <Steps texts={props.texts} steps={report.steps} />
        </>
      )}
    >
      <TextField name="text" label={t("disclosure.text")} rows={5} />
      <TextField name="txid" label={t("disclosure.txid")} rows={1} />
    </PastedForm>
  );
}

/** The form of an address. */
export function AddressForm(props: {
  texts: CheckTexts;
  check: (text: string) => Promise<AddressReport>;
}) {
  const { t } = props.texts;
  return (
    <PastedForm
      texts={props.texts}
      name="address"
      button={t("address.check")}
      note={t("pasted.local")}
      run={(fields) => props.check(fields("text"))}
      answer={(report) => (
        <OneLine
          report={report}
          right={t("address.ok", { network: report.networkName })}
          wrong={(code) => t("address.differs", { code })}
        />
      )}
    >
      <TextField name="text" label={t("address.text")} rows={2} />
    </PastedForm>
  );
}

/** The form of a signed message. */
export function MessageForm(props: {
  texts: CheckTexts;
  check: (signed: {
    readonly address: string;
    readonly message: string;
    readonly signature: string;
  }) => Promise<CheckReport>;
}) {
  const { t } = props.texts;
  return (
    <PastedForm
      texts={props.texts}
      name="message"
      button={t("message.check")}
      note={t("pasted.local")}
      run={(fields) =>
        props.check({
          address: fields("address"),
          message: fields("message"),
          signature: fields("signature"),
        })
      }
      answer={(report) => (
        <OneLine
          report={report}
          right={t("message.ok")}
          wrong={(code) => t("message.differs", { code })}
        />
      )}
    >
      <TextField name="address" label={t("message.address")} rows={2} />
      <TextField name="message" label={t("message.text")} rows={3} />
      <TextField name="signature" label={t("message.signature")} rows={4} />
    </PastedForm>
  );
}

/** A form that is never sent: its submission is read here. */
function PastedForm<R extends CheckReport>(props: {
  texts: CheckTexts;
  name: string;
  button: string;
  note: string;
  run: (fields: (name: string) => string) => Promise<R>;
  answer: (report: R) => JSX.Element;
  children: JSX.Element;
}) {
  const [stage, setStage] = createSignal<Stage<R>>("idle");
  const start = (form: HTMLFormElement) => {
    if (stage() === "running") return;
    const data = new FormData(form);
    const field = (name: string): string => {
      const value = data.get(name);
      return typeof value === "string" ? value : "";
    };
    setStage("running");
    props.run(field).then(
      (report) => setStage({ report }),
      (error: unknown) => setStage({ code: SvcError.from(error).code }),
    );
  };
  const report = () => {
    const now = stage();
    return typeof now === "object" && "report" in now ? now.report : null;
  };
  const code = () => {
    const now = stage();
    return typeof now === "object" && "code" in now ? now.code : null;
  };
  return (
    <form
      class="check"
      data-testid={`check-${props.name}`}
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        start(event.currentTarget);
      }}
    >
      {props.children}
      <button type="submit" class="check-button" disabled={stage() === "running"}>
        {props.button}
      </button>
      <p class="check-note">{props.note}</p>
      <div role="status" class="check">
        <Switch>
          <Match when={stage() === "running"}>
            <p class="check-note">{props.texts.t("check.running")}</p>
          </Match>
          <Match when={code()}>
            {(failed) => (
              <p class="check-note">{props.texts.t("check.failed", { code: failed() })}</p>
            )}
          </Match>
          <Match when={report()}>{(done) => props.answer(done())}</Match>
        </Switch>
      </div>
    </form>
  );
}

function TextField(props: { name: string; label: string; rows: number }) {
  return (
    <label class="check-field">
      {props.label}
      <textarea name={props.name} rows={props.rows} spellcheck={false} autocapitalize="none" />
    </label>
  );
}

function Fact(props: { label: string; value: string }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd class="mono">{props.value}</dd>
    </div>
  );
}

/** A report of one step, in one sentence. */
function OneLine(props: { report: CheckReport; right: string; wrong: (code: string) => string }) {
  const step = () => props.report.steps[0];
  const isRight = () => step()?.outcome === "ok";
  return (
    <p
      class="check-verdict"
      data-testid="check-verdict"
      data-verdict={isRight() ? "ok" : "differs"}
    >
      <span aria-hidden="true">{isRight() ? "✓" : "✗"}</span>{" "}
      {isRight() ? props.right : props.wrong(step()?.found ?? "")}
    </p>
  );
}
