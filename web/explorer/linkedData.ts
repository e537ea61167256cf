/** What search engines are told about a page in data (specification explorer C8): its name, its address, and the site that it is part of. */
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import type { PageInput } from "@svc/shared/explorer/pageRenderer.ts";
import { pageAbout } from "./pageHead.ts";
import type { PageTexts } from "./view/pageTexts.ts";

/**
 * The data; null for a page that is not for them, or whose server does not know its own name. No way to search is told: it would lead
 * hashes into addresses.
 */
export function linkedData(input: PageInput, texts: PageTexts): object | null {
  const { title, about, address, isListed } = pageAbout(input, texts);
  if (!isListed || address === null) return null;
  return {
    "@context": "https://schema.org",
    "@type": "WebPage",
    name: title,
    description: about,
    url: address,
    inLanguage: input.locale,
    isPartOf: {
      "@type": "WebSite",
      name: texts.t("frame.title"),
      url: `${input.origin}${input.base}/`,
      inLanguage: PAGE_LOCALES,
    },
  };
}
