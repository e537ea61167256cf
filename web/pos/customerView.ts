/** What the customer sees: the checkout of a sale, in the place of the keypad. Its id stands in the address, so that a reload shows it again. */
import { checkoutPart, followCheckout, isFinalPart } from "../checkout/followCheckout.ts";
import { checkoutAt } from "../checkout/pageRefresh.ts";
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
  #following: { readonly stop: () => void } | null = null;
  #shown: string | null = null;

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
    const part = (await checkoutAt(`/checkout/${id}`))?.querySelector("main#checkout") ?? null;
    // Somebody went on meanwhile.
    if (this.#shown !== id) return;
    if (part === null) {
      this.#leave();
      return sayProblem(this.#say("saleGone"));
    }
    this.#customer.prepend(document.importNode(part, true));
    this.#keypad.hidden = true;
    this.#customer.hidden = false;
    scrollTo(0, 0);
    this.#following = followCheckout(id, (now) => {
      this.#button.classList.toggle("second", !isFinalPart(now));
    });
    this.#button.focus({ preventScroll: true });
  }

  #leave(): void {
    history.pushState(null, "", location.pathname);
    void this.#look();
  }

  #end(): void {
    this.#following?.stop();
    this.#following = null;
    checkoutPart()?.remove();
    this.#customer.hidden = true;
    this.#keypad.hidden = false;
    document.title = this.#title;
  }
}
