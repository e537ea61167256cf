/** Countdown to the expiry of an invoice, by the gateway's clock: a payer's own may be wrong. */

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Shows how long is left. */
export class Countdown {
  readonly #onOver: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Time of the page's own steady clock at which the invoice expires, ms. */
  #endMs = 0;

  /** `onOver` is called a second after the time was over, and each second until the page says so. */
  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  /** Begins anew with what the page says. */
  show(part: HTMLElement): void {
    this.stop();
    if (part.dataset["payable"] !== "true") return;
    const left = Number(part.dataset["expires"]) - Number(part.dataset["server"]);
    if (!Number.isFinite(left)) return;
    this.#endMs = performance.now() + left * SECOND_MS;
    this.#timer = setInterval(() => this.#tick(), SECOND_MS);
    this.#tick();
  }

  /** Ends it. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const left = Math.round((this.#endMs - performance.now()) / SECOND_MS);
    const timer = document.querySelector<HTMLElement>("#timer");
    const [shown, told] = ["#left", "#until"].map((name) =>
      document.querySelector<HTMLElement>(name),
    );
    if (timer !== null && shown !== null && shown !== undefined) {
      timer.textContent = leftText(Math.max(0, left));
      shown.hidden = false;
      if (told !== null && told !== undefined) told.hidden = true;
    }
    if (left < 0 && !document.hidden) this.#onOver();
  }
}

/** `4:07`, `1:04:07`, `2 d 1:04:07`: digits and colons alone, but for days, whose unit the page's language names. */
function leftText(seconds: number): string {
  const [days, hours] = [Math.floor(seconds / DAY_S), Math.floor((seconds % DAY_S) / HOUR_S)];
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  const [m, s] = [minutes, seconds % MINUTE_S].map((part) => String(part).padStart(2, "0"));
  const locale = document.documentElement.lang;
  const form = new Intl.NumberFormat(locale, { style: "unit", unit: "day", unitDisplay: "long" });
  const start = days > 0 ? `${form.format(days)} ` : "";
  return days > 0 || hours > 0 ? `${start}${hours}:${m}:${s}` : `${minutes}:${s}`;
}
