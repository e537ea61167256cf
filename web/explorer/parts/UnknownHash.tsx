/** Page: a hash that names nothing here, and why that may be. */
import { hrefOf, useFrame } from "../frame/pageFrame.ts";
import { Panel } from "./Panel.tsx";
import { unknownReasonOf } from "../view/unknownReason.ts";

/** The page. It is never blank, and never says more than the node knows. */
export function UnknownHash(props: { kind: "block" | "transaction"; hash: string }) {
  const frame = useFrame();
  const { t } = frame.texts;
  const fault = () =>
    frame.store.readAny(`/${props.kind === "block" ? "blocks" : "transactions"}/${props.hash}`)
      .fault;
  const other = () => (props.kind === "block" ? "transaction" : "block");
  return (
    <>
      <div class="page-head">
        <h1>{t(props.kind === "block" ? "unknown.blockTitle" : "unknown.transactionTitle")}</h1>
        <p class="identity">
          <span class="mono">{props.hash}</span>
        </p>
      </div>
      <Panel title={t("unknown.why")}>
        <p data-testid="unknown-reason">{t(`unknown.${unknownReasonOf(fault())}`)}</p>
        <p class="note">{t("unknown.oneNode")}</p>
        <ul class="plain">
          <li>
            <a href={hrefOf(frame, { kind: other(), id: props.hash })}>
              {t(other() === "block" ? "unknown.tryBlock" : "unknown.tryTransaction")}
            </a>
          </li>
          <li>
            <a href={hrefOf(frame, { kind: "overview" })}>{t("unknown.toOverview")}</a>
          </li>
        </ul>
      </Panel>
    </>
  );
}
