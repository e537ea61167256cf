/**
 * Content security policy of page tests: what the servers of wallet, explorer and gateway send, as a `meta` element of the
 * development server's page. It runs where vitest is configured.
 */
import type { PageInput } from "@svc/shared/explorer/pageRenderer.ts";
import { pageHeaders as gatewayHeaders } from "@svc/shared/gateway/page/pageHeaders.ts";
import { pageHeaders as explorerHeaders } from "../../../explorer/pageHeaders.ts";
import { headerRows } from "../../../build/pageHeaders.ts";
import { readNodeOrigins } from "../../../state/nodeOrigins.ts";

/** Directives for headers alone; in an element it would be ignored, with a warning. */
const HEADER_ONLY = /^frame-ancestors /;

/** Directives loosened for the development server: it puts each style sheet into the page as an element, not as a file. */
const LOOSENED = ["style-src-elem 'self' 'unsafe-inline'"] as const;

const POLICY = "Content-Security-Policy";

const EXPLORER_PAGE: PageInput = {
  ...{ base: "/explorer", apiBase: "/api", origin: null, path: "/", query: "" },
  ...{ locale: "en", isLocaleAsked: false, nowMs: 0, documents: {} },
};

declare module "vitest" {
  interface ProvidedContext {
    /** The policy, for the set-up file in the page. */
    pagePolicy: string;
  }
}

/** Pages with a policy of their own. */
export type PolicyPage = "wallet" | "explorer" | "gateway";

/** The policy of a page. Throws where it has none, or an own rule for what is loosened. */
export function testPolicy(page: PolicyPage): string {
  const policy = sentPolicy(page);
  if (policy === undefined) throw new Error(`the pages of ${page} have no policy`);
  const kept = policy.split("; ").filter((directive) => !HEADER_ONLY.test(directive));
  for (const directive of LOOSENED) {
    const name = `${directive.split(" ", 1)[0]} `;
    if (kept.some((own) => own.startsWith(name))) throw new Error(`${name}has an own rule`);
  }
  return [...kept, ...LOOSENED].join("; ");
}

/** The policy that the server of a page sends with it. */
function sentPolicy(page: PolicyPage): string | undefined {
  switch (page) {
    case "wallet": {
      const rows = headerRows(readNodeOrigins(undefined), { policy: "" });
      return rows.find(({ path }) => path === "*")?.headers[POLICY];
    }
    case "explorer":
      return explorerHeaders(EXPLORER_PAGE, 200)[POLICY];
    case "gateway":
      // The server names its own script by a number that is drawn for each answer; here the files of the server are allowed.
      return gatewayHeaders("0", [], { "script-src": "'self'", "style-src": "'self'" })[POLICY];
  }
}
