/** The script of the checkout page over what its gateway tells: it renews the page, counts down, and rests while nobody looks. */
import { checkoutMark } from "@svc/shared/gateway/page/checkoutMark.ts";
import { checkoutPage } from "@svc/shared/gateway/page/checkoutPage.ts";
import type { Checkout } from "@svc/shared/gateway/page/checkoutState.ts";
import { pageLanguage } from "@svc/shared/gateway/page/pageLanguage.ts";
import { exampleCheckout, PAID_SUMS } from "@svc/shared/gateway/testkit/exampleCheckout.ts";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { followCheckout } from "../../checkout/followCheckout.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { POLL_MS } from "../testkit/pollMs.ts";
import { showGatewayPage, type GatewayAnswer } from "../testkit/showGatewayPage.ts";

const { id } = exampleCheckout;
const PATH = `/checkout/${id}`;
const PART: Partial<Checkout> = { status: "partial", ...PAID_SUMS.part, version: 2 };
const PAID: Partial<Checkout> = { status: "paid", ...PAID_SUMS.all, version: 3, confirmations: 2 };
const CONFIRMED: Partial<Checkout> = { status: "confirmed", ...PAID_SUMS.all, version: 4 };

/** An event stream that a test speaks for. */
class ToldSource extends EventTarget {
  static open: ToldSource[] = [];

  constructor() {
    super();
    ToldSource.open.push(this);
  }

  close(): void {
    ToldSource.open = ToldSource.open.filter((source) => source !== this);
  }
}

beforeEach(() => {
  ToldSource.open = [];
  vi.stubGlobal("EventSource", ToldSource);
});

const htmlOf = (has: Partial<Checkout>) =>
  checkoutPage(
    { ...exampleCheckout, ...has },
    { language: pageLanguage("en", undefined), nonce: "00ff", script: null },
    { frameOrigins: [], hasSocket: false },
  );

/** A gateway whose invoice is in this state. */
function gateway(has: Partial<Checkout>): GatewayAnswer {
  return ({ path }) =>
    path === PATH ? new Response(htmlOf(has)) : Response.json({ ...exampleCheckout, ...has });
}

/** Tells the page of the invoice by its stream. */
function tell(has: Partial<Checkout>): void {
  const data = JSON.stringify({ ...exampleCheckout, ...has });
  for (const source of ToldSource.open) {
    source.dispatchEvent(new MessageEvent("invoice", { data }));
  }
}

function follow(has: Partial<Checkout> = {}) {
  const shown = showGatewayPage(htmlOf(has), gateway(has));
  const seen: (string | undefined)[] = [];
  const following = followCheckout(id, (part) => {
    seen.push(part.dataset["status"]);
    // As the page's own script does: without one there is nothing to press.
    for (const button of part.querySelectorAll<HTMLElement>(".copy")) button.hidden = false;
  });
  onTestFinished(() => following.stop());
  return { shown, seen };
}

const heading = (name: string) => page.getByRole("heading", { level: 1, name });
const pagesOf = (calls: readonly { readonly path: string }[]) =>
  calls.filter(({ path }) => path === PATH);

/** Hides the page from its reader, or shows it again. */
function look(isHidden: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("keeps the focus and the live region when it renews itself", async () => {
  const { shown } = follow();
  const button = document.querySelector<HTMLElement>("#copy-address");
  button?.focus();
  expect(document.activeElement).toBe(button);
  const [state, part] = ["#state", "main"].map((place) => document.querySelector(place));
  shown.answer = gateway(PART);
  tell(PART);
  await expect.element(page.getByText("1.5 coins are still due.")).toBeVisible();
  await expect.poll(() => document.activeElement?.id).toBe("copy-address");
  expect(document.activeElement).not.toBe(button);
  expect(document.querySelector("#state")).toBe(state);
  expect(document.querySelector("main")).toBe(part);
  expect(state?.getAttribute("role")).toBe("status");
  expect(state?.getAttribute("aria-live")).toBe("polite");
  expect(page.getByRole("timer").element().getAttribute("aria-live")).toBe("off");
  expect(document.title).toBe("A part has arrived – Example shop");
});

test("asks for the page once for each state, and counts confirmations without", async () => {
  const { shown, seen } = follow(PAID);
  await expect.element(page.getByText("Confirmation 2 of 1,000")).toBeVisible();
  tell({ ...PAID, confirmations: 5 });
  await expect.element(page.getByText("Confirmation 5 of 1,000")).toBeVisible();
  expect(document.querySelector("progress")?.value).toBe(5);
  expect(shown.calls).toEqual([]);
  expect(checkoutMark({ ...exampleCheckout, ...PAID })).not.toBe(
    checkoutMark({ ...exampleCheckout, ...CONFIRMED }),
  );
  shown.answer = gateway(CONFIRMED);
  tell(CONFIRMED);
  await expect.element(heading("Paid")).toBeVisible();
  expect(seen).toEqual(["paid", "confirmed"]);
  // Nothing is expected any more: the stream is closed.
  expect(ToldSource.open).toEqual([]);
  expect(pagesOf(shown.calls)).toHaveLength(1);
});

test("a page that is final when it comes listens to nothing", () => {
  const { shown } = follow(CONFIRMED);
  expect(ToldSource.open).toEqual([]);
  expect(shown.calls).toEqual([]);
});

test("counts the time down by the gateway's clock, and then asks for the page", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const { shown } = follow();
  const timer = () => document.querySelector("#timer")?.textContent;
  expect(timer()).toBe("15:00");
  await vi.advanceTimersByTimeAsync(61_000);
  expect(timer()).toBe("13:59");
  shown.answer = gateway({ status: "expired", expired: true, version: 2 });
  await vi.advanceTimersByTimeAsync(840_000);
  await vi.waitFor(
    () => expect(document.querySelector("h1")?.textContent).toBe("The time to pay is over"),
    { timeout: POLL_MS },
  );
  expect(document.body.textContent).not.toContain(exampleCheckout.address);
});

test("asks again where there is no event stream, less and less often, and not while nobody looks", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { shown } = follow();
  const records = () => shown.calls.filter(({ path }) => path === `/api/v1${PATH}`).length;
  const fail = () => {
    for (const source of ToldSource.open) source.dispatchEvent(new Event("error"));
  };
  fail();
  await vi.advanceTimersByTimeAsync(PAGE_LIMITS.checkoutPollFirstMs);
  expect(records()).toBe(1);
  // Twice as long after each.
  await vi.advanceTimersByTimeAsync(2 * PAGE_LIMITS.checkoutPollFirstMs - 1);
  expect(records()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(records()).toBe(2);
  look(true);
  shown.answer = gateway(PART);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(records()).toBe(2);
  look(false);
  fail();
  await vi.advanceTimersByTimeAsync(PAGE_LIMITS.checkoutPollFirstMs);
  await vi.waitFor(
    () => expect(document.querySelector("h1")?.textContent).toBe("A part has arrived"),
    { timeout: POLL_MS },
  );
});

test("a page that does not come is asked for again, and the one before stays", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { shown } = follow();
  shown.answer = () => new Response("", { status: 503 });
  tell(PART);
  await vi.waitFor(() => expect(pagesOf(shown.calls)).toHaveLength(1), { timeout: POLL_MS });
  expect(document.querySelector("h1")?.textContent).toBe("Waiting for your payment");
  shown.answer = gateway(PART);
  await vi.advanceTimersByTimeAsync(PAGE_LIMITS.checkoutPollFirstMs);
  await vi.waitFor(
    () => expect(document.querySelector("h1")?.textContent).toBe("A part has arrived"),
    { timeout: POLL_MS },
  );
});
