/** A page that a server does not make now: it says why and when to ask again, without documents or components, so that it costs little. */
import type { PageAnswer, PageInput, PageRefusal } from "@svc/shared/explorer/pageRenderer.ts";
import { markup } from "@svc/shared/gateway/page/markup.ts";
import { BUILT_ASSETS } from "./builtAssets.ts";
import { pageHeaders } from "./pageHeaders.ts";
import type { PageTexts } from "./view/pageTexts.ts";

/** Makes the page. */
export function refusedPage(
  input: PageInput,
  { status, retryAfterS }: PageRefusal,
  { locale, t }: PageTexts,
): PageAnswer {
  const { theme, styles, icon } = BUILT_ASSETS;
  const html = markup`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<script src="${theme}"></script>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${t("refused.title")} · ${t("frame.title")}</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
${styles.map((href) => markup`<link rel="stylesheet" href="${href}">`)}
</head>
<body>
<div class="explorer"><main id="main">
<div class="page-head">
<h1>${t("refused.title")}</h1>
<p class="lead">${t(status === 429 ? "refused.tooMany" : "refused.late")}</p>
</div>
<p>${t("refused.nothing")}</p>
<p>${t("refused.wait", { count: retryAfterS })} <a href="" rel="nofollow">${t("refused.again")}</a></p>
</main></div>
</body>
</html>
`;
  return { status, headers: pageHeaders(input, status), html: html.toString() };
}
