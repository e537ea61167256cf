/** Component: the search field. With script a hash goes behind the `#` of the address, which no browser sends to a server, and what is no number stays here. */
import { explorerPathOf } from "@svc/shared/explorer/explorerPaths.ts";
import { hrefOf, useFrame } from "./pageFrame.ts";
import { searchStep } from "./searchStep.ts";

/** The field. `value`: what was searched, on the page of the result. */
export function SearchField(props: { id: string; value?: string }) {
  const frame = useFrame();
  const { t } = frame.texts;
  let input: HTMLInputElement | undefined;
  const search = (event: SubmitEvent) => {
    const step = searchStep(input?.value ?? "", frame.page);
    if (step.kind === "ask") return;
    event.preventDefault();
    if (step.kind === "no-form") {
      input?.setCustomValidity(`${t("search.noForm")} ${step.text}`);
      input?.reportValidity();
    } else if (step.kind === "look-here") location.hash = step.hash;
    else if (step.kind === "open") {
      const address = hrefOf(frame, { kind: "search", term: { kind: "empty" } });
      location.assign(`${address}#${step.hash}`);
    }
  };
  return (
    <form
      class="find"
      role="search"
      method="get"
      action={`${frame.base}${explorerPathOf({ kind: "search", term: { kind: "empty" } })}`}
      onSubmit={search}
    >
      <label class="visually-hidden" for={props.id}>
        {t("find.label")}
      </label>
      <input
        ref={(element) => (input = element)}
        onInput={() => input?.setCustomValidity("")}
        id={props.id}
        name="q"
        type="search"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxlength="200"
        placeholder={t("find.placeholder")}
        value={props.value ?? ""}
      />
      <button type="submit">{t("find.go")}</button>
    </form>
  );
}
