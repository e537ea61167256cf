/** Shows a page of the gateway as its server renders it, with its own style and without its script, which a test starts itself. */
import { commands, page } from "vitest/browser";
import { onTestFinished, vi } from "vitest";
import { DESK } from "./screenRules.ts";

/** A call of the page to its server. */
export type GatewayCall = {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: unknown;
};

/** Answer to a call; null where nothing comes back. */
export type GatewayAnswer = (call: GatewayCall) => Response | null;

/** A page that is shown. */
export type ShownGatewayPage = {
  /** Calls of the page so far, in order. */
  readonly calls: readonly GatewayCall[];
  /** Other answers from now on. */
  answer: GatewayAnswer;
};

/** Shows it until the test ends. What its script listens to ends with it. */
export function showGatewayPage(
  html: string,
  answer: GatewayAnswer = () => null,
): ShownGatewayPage {
  const made = new DOMParser().parseFromString(html, "text/html");
  const style = document.createElement("style");
  style.textContent = made.querySelector("style")?.textContent ?? "";
  document.head.append(style);
  document.documentElement.lang = made.documentElement.lang;
  document.title = made.title;
  const parts = [...made.body.childNodes].map((part) => document.importNode(part, true));
  document.body.append(...parts);
  const calls: GatewayCall[] = [];
  const shown = { calls, answer };
  answerCalls(shown, calls);
  const forget = noteListeners();
  onTestFinished(async () => {
    forget();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    style.remove();
    document.body.replaceChildren();
    document.documentElement.lang = "en";
    history.replaceState(null, "", location.pathname);
    await commands.emulateMedia({ colorScheme: null });
    await page.viewport(DESK.width, DESK.height);
  });
  return shown;
}

/** Has the calls that the page makes to its own server answered by the test. */
function answerCalls(shown: ShownGatewayPage, calls: GatewayCall[]): void {
  const served = globalThis.fetch;
  vi.stubGlobal("fetch", (input: string | URL | Request, init: RequestInit = {}) => {
    if (typeof input !== "string" || !/^\/(?:pos|api|checkout|order)(?:\/|$)/.test(input)) {
      return served(input, init);
    }
    const key = new Headers(init.headers).get("idempotency-key");
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : null;
    const call = { method: init.method ?? "GET", path: input, key, body };
    calls.push(call);
    const told = shown.answer(call);
    return told === null
      ? Promise.reject(new TypeError("nothing comes back"))
      : Promise.resolve(told);
  });
}

/** Notes what is listened to on window and document; returns what ends it. */
function noteListeners(): () => void {
  const over = new AbortController();
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    vi.spyOn(target, "addEventListener").mockImplementation(
      (type: string, listener: EventListenerOrEventListenerObject | null, options?: unknown) => {
        const own = typeof options === "object" && options !== null ? options : {};
        const signals = "signal" in own && own.signal instanceof AbortSignal ? [own.signal] : [];
        const signal = AbortSignal.any([over.signal, ...signals]);
        if (listener !== null) add(type, listener, { ...own, signal });
      },
    );
  }
  return () => {
    vi.restoreAllMocks();
    over.abort();
  };
}
