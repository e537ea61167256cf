/** Component: the form of a receipt. It is checked here without a request; only a second button asks the page's node for its chain. */
import { createSignal, For, Match, onMount, Show, Switch } from "solid-js";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { ReceiptAnchor } from "@svc/shared/light/coreReceipts.ts";
import type { AskedReceipt, ReceiptReport } from "./checkReceipt.ts";
import { receiptOf, receiptOfFile } from "./receiptBytes.ts";
import {
  anchorText,
  mayBeLeft,
  measureText,
  receiptLines,
  refusalText,
  standingText,
  type ReceiptTexts,
} from "./receiptWords.ts";

/** What the form does with the check worker, and with the page's node. */
export type ReceiptCalls = {
  /** Loads everything that a check needs, so that it works without a network from then on. */
  readonly prepare: () => Promise<void>;
  readonly check: (asked: AskedReceipt) => Promise<ReceiptReport>;
  /** Asks the node for what anchors a receipt. */
  readonly anchor: (receipt: Uint8Array) => Promise<ReceiptAnchor>;
};

type Stage =
  | { readonly kind: "idle" | "running" }
  | { readonly kind: "done"; readonly report: ReceiptReport }
  | { readonly kind: "refused" | "unanchored" | "failed"; readonly error: ErrorJson };

/** The form. */
export function ReceiptForm(props: ReceiptTexts & { calls: ReceiptCalls }) {
  const { t } = props.texts;
  const [stage, setStage] = createSignal<Stage>({ kind: "idle" });
  const [isReady, setReady] = createSignal(false);
  const [dropped, setDropped] = createSignal<File | null>(null);
  let form: HTMLFormElement | undefined;
  onMount(() => {
    props.calls.prepare().then(
      () => setReady(true),
      // The next check tries again and says what is wrong.
      () => undefined,
    );
  });
  const start = async (isAnchored: boolean) => {
    if (stage().kind === "running") return;
    setStage({ kind: "running" });
    setStage(await outcomeOf(props.calls, given(form, dropped()), isAnchored));
  };
  return (
    <form
      class="check"
      data-testid="check-receipt"
      autocomplete="off"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void start(false);
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file === undefined) return;
        setDropped(file);
        void start(false);
      }}
    >
      <Fields texts={props.texts} dropped={dropped()} onChosen={() => setDropped(null)} />
      <div class="check-buttons">
        <button type="submit" class="check-button" disabled={stage().kind === "running"}>
          {t("receipt.check")}
        </button>
        <button
          type="button"
          class="check-button"
          disabled={stage().kind === "running"}
          onClick={() => void start(true)}
        >
          {t("receipt.anchor")}
        </button>
      </div>
      <p class="check-note" data-testid="receipt-ready" data-ready={isReady()}>
        {t(isReady() ? "receipt.ready" : "receipt.loading")}
      </p>
      <p class="check-note">{t("receipt.anchorNote")}</p>
      <div role="status" class="check">
        <Outcome stage={stage()} texts={props.texts} locale={props.locale} />
      </div>
    </form>
  );
}

type Given = { readonly file: File | null; readonly text: string; readonly challenge: string };

/** What stands in the form. A file that was dropped on it takes the place of one that was chosen before. */
function given(form: HTMLFormElement | undefined, dropped: File | null): Given {
  const data = new FormData(form);
  const field = (name: string): string => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  const chosen = data.get("file");
  const file = dropped ?? (chosen instanceof File && chosen.size > 0 ? chosen : null);
  return { file, text: field("text"), challenge: field("challenge") };
}

/** A receipt that is given as text and as a file is the text: it is what stands in sight. */
async function outcomeOf(
  calls: ReceiptCalls,
  { file, text, challenge }: Given,
  isAnchored: boolean,
): Promise<Stage> {
  let receipt: Uint8Array<ArrayBuffer>;
  try {
    const isFile = text.trim() === "" && file !== null;
    receipt = isFile ? await receiptOfFile(file) : receiptOf(new TextEncoder().encode(text));
  } catch (error) {
    return { kind: "refused", error: SvcError.from(error).toJSON() };
  }
  try {
    const alone = await calls.check({ receipt, challenge, anchor: null });
    if (alone.refused !== null) return { kind: "refused", error: alone.refused };
    if (!isAnchored) return { kind: "done", report: alone };
  } catch (error) {
    return { kind: "failed", error: SvcError.from(error).toJSON() };
  }
  try {
    const anchor = await calls.anchor(receipt);
    const report = await calls.check({ receipt, challenge, anchor });
    if (report.refused !== null) return { kind: "unanchored", error: report.refused };
    return { kind: "done", report };
  } catch (error) {
    return { kind: "unanchored", error: SvcError.from(error).toJSON() };
  }
}

function Fields(props: {
  texts: ReceiptTexts["texts"];
  dropped: File | null;
  onChosen: () => void;
}) {
  const { t } = props.texts;
  return (
    <>
      <label class="check-field">
        {t("receipt.file")}
        <input type="file" name="file" onChange={() => props.onChosen()} />
      </label>
      <Show when={props.dropped}>
        {(chosen) => <p class="check-note">{t("receipt.chosen", { name: chosen().name })}</p>}
      </Show>
      <label class="check-field">
        {t("receipt.text")}
        <textarea name="text" rows={4} spellcheck={false} autocapitalize="none" />
      </label>
      <label class="check-field">
        {t("receipt.asked")}
        <input type="text" name="challenge" spellcheck={false} />
      </label>
    </>
  );
}

function Outcome(props: ReceiptTexts & { stage: Stage }) {
  const { t } = props.texts;
  const report = () => (props.stage.kind === "done" ? props.stage.report : null);
  const errorOf = (kind: Stage["kind"]) =>
    props.stage.kind === kind && "error" in props.stage ? props.stage.error : null;
  return (
    <Switch>
      <Match when={props.stage.kind === "running"}>
        <p class="check-note">{t("check.running")}</p>
      </Match>
      <Match when={errorOf("failed")}>
        {(error) => <p class="check-note">{t("check.failed", { code: error().code })}</p>}
      </Match>
      <Match when={errorOf("refused")}>
        {(error) => <Verdict verdict="differs" text={refusalText(error(), props.texts)} />}
      </Match>
      <Match when={errorOf("unanchored")}>
        {(error) => <Verdict verdict="notProvable" text={anchorText(error(), props.texts)} />}
      </Match>
      <Match when={report()}>
        {(done) => <Shown texts={props.texts} locale={props.locale} report={done()} />}
      </Match>
    </Switch>
  );
}

function Verdict(props: { verdict: "ok" | "differs" | "notProvable"; text: string }) {
  const mark = () => ({ ok: "✓", differs: "✗", notProvable: "–" })[props.verdict];
  return (
    <p class="check-verdict" data-testid="check-verdict" data-verdict={props.verdict}>
      <span aria-hidden="true">{mark()}</span> {props.text}
    </p>
  );
}

function Shown(props: ReceiptTexts & { report: ReceiptReport }) {
  const { t } = props.texts;
  const isOnChain = () => props.report.shown?.facts.grade === "chain";
  return (
    <>
      <Verdict verdict="ok" text={t(isOnChain() ? "receipt.holdsOnChain" : "receipt.holds")} />
      <p class="check-note" data-testid="receipt-standing">
        {standingText(props.report, props)}
      </p>
      <Show when={measureText(props.report, props)}>
        {(text) => (
          <p class="check-note" data-testid="receipt-measure">
            {text()}
          </p>
        )}
      </Show>
      <Show when={mayBeLeft(props.report)}>
        <p class="check-note">{t("receipt.near")}</p>
      </Show>
      <Show when={!props.report.isKnownNetwork}>
        <p class="check-note">{t("check.unknownNetwork")}</p>
      </Show>
      <Show when={props.report.shown}>
        {(shown) => (
          <dl class="check-facts" data-testid="receipt-facts">
            <For each={receiptLines(shown(), props)}>
              {(line) => (
                <div>
                  <dt>{line.label}</dt>
                  <dd classList={{ mono: line.isMono === true }}>
                    <bdi>{line.value}</bdi>
                  </dd>
                </div>
              )}
            </For>
          </dl>
        )}
      </Show>
    </>
  );
}
