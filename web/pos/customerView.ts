/**
 * What the customer sees: the checkout of a sale, in the place of the keypad. Its id stands in the address, so that a reload shows it again.
 * Where the checkout does not come the keypad stays away, and it is asked for again: whoever saw the keypad would ring up twice.
 */
import { checkoutPart, followCheckout, isFinalPart } from "../checkout/followCheckout.ts";
import { checkoutAt, pause } from "../checkout/pageRefresh.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { element, sayProblem, type Say } from "./posPart.ts";

const ID = /^#(inv_[0-9a-f]{32})$/;

/** The view. */
export class CustomerView {
  readonly #say: Say;
  readonly #onNew: () => void;
  readonly #title = document.title;
  readonly #keypad = element("pos", HTMLElement);
  readonly #customer = element("customer", HTMLElement);
  readonly #button = element("new-sale", HTMLButtonElement);
  readonly #problem = element("sale-problem", HTMLElement);
  #following: { readonly stop: () => void } | null = null;
  #shown: string | null = null;
  /** How often another sale was to be shown. */
  #looks = 0;

  /** `onNew` is called when the keypad is there again. */
  constructor(say: Say, onNew: () => void) {
    this.#say = say;
    this.#onNew = onNew;
    this.#button.addEventListener("click", () => this.#leave());
    addEventListener("hashchange", () => void this.#look());
    void this.#look();
  }

  /** Shows a sale. */
  show(id: string): void {
    location.hash = id;
  }

  async #look(): Promise<void> {
    const id = ID.exec(location.hash)?.[1] ?? null;
    if (id === this.#shown) return;
    this.#end();
    this.#shown = id;
    if (id === null) return this.#onNew();
    const look = this.#looks;
    this.#keypad.hidden = true;
    this.#customer.hidden = false;
    const part = await this.#checkout(id, look);
    // Somebody went on meanwhile.
    if (this.#looks !== look) return;
    if (part === null) {
      this.#leave();
      return sayProblem(this.#say("saleGone"));
    }
    this.#problem.textContent = "";
    this.#customer.prepend(document.importNode(part, true));
    scrollTo(0, 0);
    this.#following = followCheckout(id, (now) => {
      this.#button.classList.toggle("second", !isFinalPart(now));
    });
    this.#button.focus({ preventScroll: true });
  }

  /** The checkout of a sale, asked for until it comes; null where there is none, or somebody went on. */
  async #checkout(id: string, look: number): Promise<Element | null> {
    let pauseMs: number = PAGE_LIMITS.checkoutPollFirstMs;
    while (this.#looks === look) {
      const page = await checkoutAt(`/checkout/${id}`);
      if (page === "gone") return null;
      const part = page?.querySelector("main#checkout") ?? null;
      if (part !== null) return part;
      if (this.#looks === look) this.#problem.textContent = this.#say("saleWaits");
      await pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, PAGE_LIMITS.checkoutPollLongestMs);
    }
    return null;
  }

  #leave(): void {
    history.pushState(null, "", location.pathname);
    void this.#look();
  }

  #end(): void {
    this.#looks += 1;
    this.#problem.textContent = "";
    this.#following?.stop();
    this.#following = null;
    checkoutPart()?.remove();
    this.#customer.hidden = true;
    this.#keypad.hidden = false;
    document.title = this.#title;
  }
}
