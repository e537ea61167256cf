/** The form in which a till rings up: amount by keypad or keyboard, unit, tip, and what is to be paid. */
import { decimalText, sumOf, withScale, type Decimal } from "@svc/shared/gateway/till/decimals.ts";
import { coinsText, priceText } from "@svc/shared/gateway/page/pageNumbers.ts";
import { amountIn, cleaned, typed } from "./amountEntry.ts";
import { element, filledText, sayProblem, type Say } from "./posPart.ts";
import { COIN_DECIMALS, sompiAbout, tipOf, type TipChoice } from "./saleSum.ts";
import { rateText, type TillState } from "./tillRate.ts";

/** What a sale is begun with, as the gateway takes it. */
export type RungSale =
  | { readonly amountSompi: string; readonly tipSompi: string }
  | {
      readonly price: { readonly currency: string; readonly value: string; readonly tip?: string };
    };

/** The form. */
export class RingForm {
  readonly #say: Say;
  readonly #form = element("ring", HTMLFormElement);
  readonly #amount = element("amount", HTMLInputElement);
  readonly #tip = element("tip", HTMLInputElement);
  readonly #button = element("charge", HTMLButtonElement);
  readonly #point: string;
  #till: TillState;
  #text = "";

  /** `onCharge` hears of a sale that is to be begun. */
  constructor(till: TillState, say: Say, onCharge: (sale: RungSale) => void) {
    this.#till = till;
    this.#say = say;
    this.#point = decimalPoint();
    this.#label();
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const sale = this.#rung();
      if (sale !== null) onCharge(sale);
    });
    this.#form.addEventListener("click", ({ target }) => {
      const key = target instanceof Element ? target.closest<HTMLElement>("[data-key]") : null;
      if (key !== null) this.#write(typed(this.#text, key.dataset["key"] ?? "", this.#decimals));
    });
    this.#amount.addEventListener("input", () =>
      this.#write(cleaned(this.#amount.value, this.#decimals) ?? this.#text),
    );
    this.#tip.addEventListener("input", () => this.#show());
    this.#form.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement && target.name === "unit") this.clear();
      else this.#show();
    });
    this.clear();
  }

  /** Takes in a newer rate. */
  set till(till: TillState) {
    this.#till = till;
    this.#show();
  }

  /** Whether a sale is being begun: nothing can be pressed twice. */
  set isBusy(isBusy: boolean) {
    this.#button.disabled = isBusy;
  }

  /** Begins anew. The unit stays. */
  clear(): void {
    this.#tip.value = "";
    const none = this.#form.querySelector<HTMLInputElement>('[name=tip][value="0"]');
    if (none !== null) none.checked = true;
    this.#write("");
    sayProblem("");
  }

  /** Puts the cursor where the next amount goes; on a touch screen that opens no keyboard. */
  focus(): void {
    this.#amount.focus({ preventScroll: true });
  }

  get #unit(): string | null {
    const { currency } = this.#till;
    const chosen = this.#form.querySelector<HTMLInputElement>("[name=unit]:checked");
    return chosen?.value === "coins" ? null : currency;
  }

  get #decimals(): number {
    const unit = this.#unit;
    return unit === null ? COIN_DECIMALS : currencyDecimals(unit);
  }

  get #tipChoice(): TipChoice {
    const chosen = this.#form.querySelector<HTMLInputElement>("[name=tip]:checked")?.value ?? "0";
    if (chosen !== "own") return { kind: "percent", percent: Number(chosen) };
    const text = cleaned(this.#tip.value, this.#decimals);
    return { kind: "own", tip: text === null ? null : amountIn(text, this.#decimals) };
  }

  /** A keyboard's decimal sign is the page's. */
  #label(): void {
    const key = this.#form.querySelector('[data-key="."]');
    if (key !== null) key.textContent = this.#point;
  }

  #write(text: string): void {
    this.#text = text;
    this.#amount.value = text.replace(".", this.#point);
    this.#show();
  }

  #show(): void {
    const choice = this.#tipChoice;
    element("own-tip", HTMLElement).hidden = choice.kind !== "own";
    const nothing = withScale({ digits: 0n, scale: 0 }, this.#decimals);
    const amount = amountIn(this.#text, this.#decimals) ?? nothing;
    const sum = sumOf(amount, tipOf(amount, choice) ?? nothing);
    element("to-pay", HTMLElement).textContent = this.#shown(sum);
    element("about", HTMLElement).textContent = this.#about(sum);
    const isPriced = this.#unit !== null;
    element("rate", HTMLElement).textContent = isPriced ? rateText(this.#till, this.#say) : "";
  }

  #shown(sum: Decimal): string {
    const unit = this.#unit;
    if (unit === null) return this.#coins(withScale(sum, COIN_DECIMALS).digits);
    const tag = document.documentElement.lang;
    return priceText({ currency: unit, value: decimalText(sum) }, { tag });
  }

  #about(sum: Decimal): string {
    const { rate } = this.#till;
    if (this.#unit === null || rate === null || rate.stale || sum.digits === 0n) return "";
    const sompi = sompiAbout(sum, rate.price);
    if (sompi === null) return "";
    return filledText(this.#say("about"), { coins: this.#coins(sompi) });
  }

  #coins(sompi: bigint): string {
    const words = { coin: this.#say("coin"), coins: this.#say("coins") };
    return coinsText(sompi, { tag: document.documentElement.lang, messages: words });
  }

  /** The sale; null where something is missing, which is said. */
  #rung(): RungSale | null {
    const amount = amountIn(this.#text, this.#decimals);
    if (amount === null) return this.#missing("badAmount", this.#amount);
    const tip = tipOf(amount, this.#tipChoice);
    if (tip === null) return this.#missing("badTip", this.#tip);
    sayProblem("");
    const unit = this.#unit;
    if (unit === null) {
      const sompi = (number: Decimal): string => String(withScale(number, COIN_DECIMALS).digits);
      return { amountSompi: sompi(amount), tipSompi: sompi(tip) };
    }
    const price = { currency: unit, value: decimalText(amount) };
    return { price: tip.digits === 0n ? price : { ...price, tip: decimalText(tip) } };
  }

  #missing(what: "badAmount" | "badTip", field: HTMLInputElement): null {
    sayProblem(this.#say(what));
    field.focus();
    return null;
  }
}

function decimalPoint(): string {
  const parts = new Intl.NumberFormat(document.documentElement.lang).formatToParts(0.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

function currencyDecimals(currency: string): number {
  const form = new Intl.NumberFormat("en", { style: "currency", currency });
  return form.resolvedOptions().maximumFractionDigits ?? 2;
}
