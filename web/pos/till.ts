/** A till that is signed in: it rings up, begins sales, and shows each to the customer. */
import { PAGE_LIMITS } from "../pageLimits.ts";
import { CustomerView } from "./customerView.ts";
import { callGateway, newKey, type CallOutcome } from "./posCalls.ts";
import { filledText, objectIn, problemOf, sayProblem, textsOf } from "./posPart.ts";
import { textOf } from "./objectOf.ts";
import { RingForm, type RungSale } from "./ringForm.ts";
import { readTill } from "./tillRate.ts";

/** Starts it. */
export function startTill(part: HTMLElement): void {
  const say = textsOf(part);
  let till = readTill(objectIn(part.dataset["till"]));
  /** What was asked for and not answered: asked again, it is the same sale. */
  let open: { readonly sale: string; readonly key: string; readonly askedMs: number } | null = null;
  const form = new RingForm(till, say, (sale) => void charge(sale));
  const customer = new CustomerView(say, () => {
    open = null;
    form.clear();
    form.focus();
  });

  async function charge(body: RungSale): Promise<void> {
    const sale = JSON.stringify(body);
    // By the time of day: the steady clock of a browser stands still while its machine sleeps.
    const askedMs = Date.now();
    const isSame =
      open?.sale === sale && Math.abs(askedMs - open.askedMs) < PAGE_LIMITS.posSameSaleMs;
    const key = isSame && open !== null ? open.key : newKey();
    open = { sale, key, askedMs };
    form.isBusy = true;
    const timeoutMs = PAGE_LIMITS.posCallMs;
    const outcome = await callGateway("POST", "/pos/v1/sales", { body, key, timeoutMs });
    form.isBusy = false;
    if (outcome.kind === "answer") {
      open = null;
      return customer.show(textOf(outcome.json["id"]));
    }
    if (outcome.kind === "refused") open = null;
    refused(outcome);
  }

  function refused(outcome: CallOutcome): void {
    if (outcome.kind !== "refused") return sayProblem(problemOf(outcome, say));
    // The page that comes then asks for the password.
    if (outcome.status === 401) return location.replace("/pos");
    const isStale = outcome.code === "gateway/price-stale";
    const stale = filledText(say("staleRate"), { currency: till.currency ?? "" });
    sayProblem(isStale ? stale : problemOf(outcome, say));
  }

  async function renew(): Promise<void> {
    if (document.hidden || part.hidden) return;
    const timeoutMs = PAGE_LIMITS.posCallMs;
    const outcome = await callGateway("GET", "/pos/v1/session", { timeoutMs });
    if (outcome.kind === "answer") {
      till = readTill(outcome.json);
      form.till = till;
    } else if (outcome.kind === "refused" && outcome.status === 401) location.replace("/pos");
  }

  if (location.hash === "") form.focus();
  setInterval(() => void renew(), PAGE_LIMITS.posRateEveryMs);
  document.addEventListener("visibilitychange", () => void renew());
}
