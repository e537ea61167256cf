/** Component: the data behind a figure: as CSV, and under an address that stays. */
import { csvPathOf } from "@svc/shared/explorer/explorerPaths.ts";
import { useFrame } from "../frame/pageFrame.ts";

/** The links. `path`: of the document, below the REST interface. */
export function CsvLinks(props: { path: string }) {
  const { apiBase, texts } = useFrame();
  return (
    <p class="note data-links">
      <a href={`${apiBase}${csvPathOf(props.path)}`} download="">
        {texts.t("data.csv")}
      </a>{" "}
      · <a href={`${apiBase}${props.path}`}>{texts.t("data.json")}</a>
    </p>
  );
}
