/** Test helper: a stand-in for the built page renderer; its page prints its input. */
import { explorerPageOf } from "@svc/shared/explorer/explorerPaths.ts";
import type { RenderExplorerPage } from "@svc/shared/explorer/pageRenderer.ts";

/** Makes a page: its input as JSON. */
export const renderExplorerPage: RenderExplorerPage = (input) => {
  const isUnknown = explorerPageOf(input.path, input.query).kind === "unknown";
  const [first] = Object.values(input.documents);
  const status = isUnknown || first === undefined ? 404 : first.status;
  return {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; script-src 'self'",
      "Cache-Control": "no-cache",
      "Content-Language": input.locale,
    },
    html: JSON.stringify(input),
  };
};
