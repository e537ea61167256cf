/** Page: an address that names no page. */
import { Panel } from "../parts/Panel.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";

/** The page. */
export function NotFound() {
  const frame = useFrame();
  const { t } = frame.texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("notFound.title")}</h1>
        <p class="lead">{t("notFound.lead")}</p>
      </div>
      <Panel title={t("notFound.ways")}>
        <p>
          <a href={hrefOf(frame, { kind: "overview" })}>{t("unknown.toOverview")}</a>
        </p>
      </Panel>
    </>
  );
}
