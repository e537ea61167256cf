/**
 * Content security policy of page tests: that of the built pages, as a `meta` element of the development server's page. It runs where
 * vitest is configured.
 */
import { headerRows } from "../../../build/pageHeaders.ts";
import { readNodeOrigins } from "../../../state/nodeOrigins.ts";

/** What only a header can say; in an element it would be ignored, with a warning. */
const HEADER_ONLY = /^frame-ancestors /;

/** What the development server needs beyond the built pages: it puts each style sheet into the page as an element, not as a file. */
const LOOSENED = ["style-src-elem 'self' 'unsafe-inline'"] as const;

declare module "vitest" {
  interface ProvidedContext {
    /** The policy, for the set-up file in the page. */
    pagePolicy: string;
  }
}

/** The policy. Throws where the built pages have none, or have an own rule for what is loosened. */
export function testPolicy(): string {
  const nodes = readNodeOrigins(undefined);
  const rows = headerRows(nodes, { policy: "" });
  const policy = rows.find(({ path }) => path === "*")?.headers["Content-Security-Policy"];
  if (policy === undefined) throw new Error("the built pages have no policy");
  const kept = policy.split("; ").filter((directive) => !HEADER_ONLY.test(directive));
  for (const directive of LOOSENED) {
    const name = `${directive.split(" ", 1)[0]} `;
    if (kept.some((own) => own.startsWith(name))) throw new Error(`${name}has an own rule`);
  }
  return [...kept, ...LOOSENED].join("; ");
}
