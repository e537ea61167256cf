/** Renews the checkout page: asks the server for it again and puts its changing parts in place. */
import { PAGE_LIMITS } from "../pageLimits.ts";

const NOT_FOUND = 404;

/** One renewal at a time; one that fails is tried again, less and less often. */
export class PageRefresh {
  readonly #path: string;
  readonly #onShown: () => void;
  #isStopped = false;
  #isAsking = false;
  #isWished = false;
  #pauseMs: number = PAGE_LIMITS.checkoutPollFirstMs;

  /** `path` is that of the checkout page; `onShown` is called after each renewal. */
  constructor(path: string, onShown: () => void) {
    this.#path = path;
    this.#onShown = onShown;
  }

  /** Wishes the page renewed. */
  wish(): void {
    this.#isWished = true;
    if (!this.#isAsking) void this.#renew();
  }

  /** Ends it for good: what comes now is not shown. */
  stop(): void {
    this.#isStopped = true;
  }

  async #renew(): Promise<void> {
    this.#isAsking = true;
    while (this.#isWished && !this.#isStopped) {
      this.#isWished = false;
      const next = await checkoutAt(this.#path);
      if (this.#isStopped) return;
      if (next instanceof Document) {
        const focused = document.activeElement?.id ?? "";
        replaceParts(next);
        this.#pauseMs = PAGE_LIMITS.checkoutPollFirstMs;
        this.#onShown();
        // What is shown by script can be focused by now.
        if (focused !== "") document.querySelector<HTMLElement>(`#${CSS.escape(focused)}`)?.focus();
        // The page changes with what it hears; it asks again at most this often.
        await pause(PAGE_LIMITS.checkoutRenewMs);
      } else {
        await pause(this.#pauseMs);
        this.#pauseMs = Math.min(2 * this.#pauseMs, PAGE_LIMITS.checkoutPollLongestMs);
        // A page that is looked at again hears of its invoice at once, and wishes this anew.
        this.#isWished = !document.hidden;
      }
    }
    this.#isAsking = false;
  }
}

/** The checkout page at a path; "gone" where its server has none, null where it does not come now. */
export async function checkoutAt(path: string): Promise<Document | "gone" | null> {
  try {
    const answer = await fetch(path, { headers: { Accept: "text/html" } });
    if (answer.status === NOT_FOUND) return "gone";
    if (!answer.ok) return null;
    // The sheet is there already, and its nonce was that of another page.
    const text = (await answer.text()).replace(/<style[^]*<\/style>/, "");
    return new DOMParser().parseFromString(text, "text/html");
  } catch {
    return null;
  }
}

/** Live regions stay the elements that they are, so that their changes are told. */
function replaceParts(next: Document): void {
  const old = document.querySelector("main#checkout");
  const fresh = next.querySelector("main#checkout");
  if (old === null || fresh === null) return;
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  for (const id of ["state", "body"]) {
    const [from, to] = [fresh, old].map((one) => one.querySelector(`#${id}`));
    if (from && to && from.innerHTML !== to.innerHTML) to.replaceChildren(...from.childNodes);
  }
  document.title = next.title;
}

/** Resolves after so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
