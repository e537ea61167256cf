/** Chromium launcher for the browser tests, with a page watch that collects faults. */
import { launchOptions } from "@svc/web/page-tests/testkit/launchOptions.ts";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

/** Starts the browser without any traffic of its own; `more` are further options of its command line. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch(launchOptions(more));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(STEP_HANG_MS);
    return context;
  };
  return browser;
}

/** Faults of a page. */
export type PageWatch = {
  /** Uncaught errors, console errors and breaches of the content security policy. */
  readonly faults: string[];
  /** Requests that left for another origin. */
  readonly strangers: string[];
};

/** Opens a page that keeps a list of its faults. */
export async function openPage(
  context: BrowserContext,
  url: string,
): Promise<{ page: Page; watch: PageWatch }> {
  const page = await context.newPage();
  const faults: string[] = [];
  const strangers: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // While a node restarts, failed requests are what the page is expected to survive.
    const network = message.text().includes("net::ERR") || message.text().includes("WebSocket");
    if (message.type() === "error" && !network) faults.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(url).origin) {
      strangers.push(request.url());
    }
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(url);
  return { page, watch: { faults, strangers } };
}
