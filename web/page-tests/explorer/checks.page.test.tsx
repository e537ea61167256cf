/** Checks of the explorer: the panel with each verdict, and the forms for what is pasted, over reports that a test writes. */
import "../../explorer/check/checks.css";
import { PAGE_LOCALES, type PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { createComponent, createSignal, type JSX } from "solid-js";
import { render } from "solid-js/web";
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { CheckPanel } from "../../explorer/check/CheckPanel.tsx";
import type { AddressReport, DisclosureReport } from "../../explorer/check/checkPasted.ts";
import type { CheckReport, CheckStep, Verdict } from "../../explorer/check/checkReport.ts";
import { checkTexts } from "../../explorer/check/checkTexts.ts";
import { AddressForm, DisclosureForm, MessageForm } from "../../explorer/check/PastedForms.tsx";
import { screenFaults } from "../testkit/screenFaults.ts";
import { button, field, textOf } from "../testkit/walletScreen.ts";
import { ModelCheck } from "./testkit/modelCheck.ts";
import "./testkit/showExplorer.ts";
import { showPart } from "./testkit/showPart.ts";

const TARGETS = "button, textarea, summary";
const TXID = "5e".repeat(32);
const ADDRESS = "svcsim:qypexampleofanaddress";

/** Shows a check until the test ends. */
function show(locale: PageLocale, shown: () => JSX.Element): void {
  const page = () => (
    <main>
      <h1>Checks</h1>
      <div>{shown()}</div>
    </main>
  );
  showPart(locale, (place) => render(page, place));
}

const verdict = page.getByTestId("check-verdict");
const step = (name: string, outcome: CheckStep["outcome"], more = {}): CheckStep => ({
  subject: "block",
  step: name,
  outcome,
  ...more,
});
const HOLDS = ["headerHash", "work", "merkleRoot"].map((name) => step(name, "ok"));
const SHOWN: CheckStep = { subject: "shown", step: "document", outcome: "ok" };
const DIFFERS = step("timestamp", "differs", { expected: "1700000000000", found: "1795000000000" });

/** Steps of a block by what they say together. */
const STEPS: Readonly<Record<Verdict, readonly CheckStep[]>> = {
  ok: [...HOLDS, SHOWN],
  partly: HOLDS,
  differs: [...HOLDS, SHOWN, DIFFERS],
  notProvable: [step("bytes", "notProvable")],
};

const reportOf = (steps: readonly CheckStep[]): CheckReport => ({ steps, isKnownNetwork: true });

/** Shows the panel of a block over a document; `setShown` has the page show another. */
function showPanel(locale: PageLocale = "en") {
  const model = new ModelCheck<CheckReport>();
  const [shown, setShown] = createSignal("first");
  const texts = checkTexts(locale);
  const panel = { texts, kind: "block" as const, shown, run: model.run };
  show(locale, () => createComponent(CheckPanel<string, CheckReport>, panel));
  return { model, setShown, t: texts.t };
}

describe.each(PAGE_LOCALES)("the panel in %s", (locale) => {
  test.each(Object.entries(STEPS))("says that a block is %s", async (word, steps) => {
    const { model, t } = showPanel(locale);
    await expect.element(page.getByText(t("check.running"))).toBeVisible();
    await model.answer(reportOf(steps));
    await expect.element(verdict).toBeVisible();
    expect(verdict.element().getAttribute("data-verdict")).toBe(word);
    const opened = document.querySelector("details")?.open;
    expect(opened).toBe(word === "differs");
    if (opened !== true) await page.getByText(t("check.steps")).click();
    expect(await screenFaults(`${locale} ${word}`, TARGETS)).toEqual([]);
    expect(document.body.innerText).not.toMatch(/undefined|\[object/);
  });
});

describe("the panel", () => {
  test("names what differs first, with what was expected and what was found", async () => {
    const { model } = showPanel();
    await model.answer(reportOf(STEPS.differs));
    await expect.element(verdict).toBeVisible();
    const [first] = page.getByRole("row").elements().slice(1);
    expect(first?.getAttribute("data-step")).toBe("timestamp");
    expect(first?.textContent).toContain("1700000000000");
    expect(first?.textContent).toContain("1795000000000");
  });

  test("says that a check which did not end proves nothing, and begins again at a press", async () => {
    const { model } = showPanel();
    await model.fail();
    await expect.element(page.getByText(/did not come to an end .*proves nothing/)).toBeVisible();
    expect(verdict.elements()).toEqual([]);
    await button("Check here").click();
    await model.answer(reportOf(STEPS.ok));
    await expect.element(verdict).toHaveAttribute("data-verdict", "ok");
    expect(model.asked).toHaveLength(2);
  });

  test("takes its word back once the page shows what was not compared", async () => {
    const { model, setShown } = showPanel();
    await model.answer(reportOf(STEPS.ok));
    await expect.element(verdict).toHaveAttribute("data-verdict", "ok");
    setShown("second");
    await expect.element(verdict).toHaveAttribute("data-verdict", "outdated");
    await button("Check again").click();
    await expect.poll(() => model.asked).toEqual([["first"], ["second"]]);
    await model.answer(reportOf(STEPS.ok));
    await expect.element(verdict).toHaveAttribute("data-verdict", "ok");
  });

  test("leaves a difference standing until a check finds none", async () => {
    const { model, setShown } = showPanel();
    await model.answer(reportOf(STEPS.differs));
    await expect.element(verdict).toHaveAttribute("data-verdict", "differs");
    setShown("second");
    await expect.element(page.getByTestId("check-outdated")).toBeVisible();
    expect(verdict.element().getAttribute("data-verdict")).toBe("differs");
  });

  test("says of a network that it does not know whose word its rules are", async () => {
    const { model, t } = showPanel();
    await model.answer({ steps: STEPS.ok, isKnownNetwork: false });
    await expect.element(page.getByText(t("check.unknownNetwork"))).toBeVisible();
  });
});

describe("the form of an address", () => {
  /** Shows it over a check whose runs a test ends. */
  function showAddress() {
    const model = new ModelCheck<AddressReport>();
    show("en", () => createComponent(AddressForm, { texts: checkTexts("en"), check: model.run }));
    return model;
  }
  const told = (outcome: "ok" | "differs"): AddressReport => ({
    steps: [{ subject: "address", step: "form", outcome, found: "shielded/bad-checksum" }],
    isKnownNetwork: true,
    networkName: "svc-simnet",
  });

  test("says what it is checking, and one press begins one check", async () => {
    const model = showAddress();
    await field("Address").fill(ADDRESS);
    await button("Check the address").click();
    await expect.element(page.getByText("Your browser is checking…")).toBeVisible();
    expect(button("Check the address").element()).toHaveProperty("disabled", true);
    await model.answer(told("ok"));
    await expect.element(verdict).toHaveTextContent("✓ This is an address of svc-simnet.");
    expect(model.asked).toEqual([[ADDRESS]]);
  });

  test("names the reason of a refusal, and a check that failed", async () => {
    const model = showAddress();
    await button("Check the address").click();
    await model.answer(told("differs"));
    await expect.poll(() => textOf(verdict)).toContain("shielded/bad-checksum");
    await button("Check the address").click();
    await model.fail();
    await expect.element(page.getByText(/did not come to an end/)).toBeVisible();
    expect(verdict.elements()).toEqual([]);
    expect(button("Check the address").element()).toHaveProperty("disabled", false);
  });
});

test("the form of a signed message hands its three fields over, and says whether they fit", async () => {
  const model = new ModelCheck<CheckReport>();
  show("en", () => createComponent(MessageForm, { texts: checkTexts("en"), check: model.run }));
  await field("Address").fill(ADDRESS);
  await field("Message").fill("It is mine");
  await field("Signature").fill("abcd");
  await button("Check the signature").click();
  expect(model.asked).toEqual([[{ address: ADDRESS, message: "It is mine", signature: "abcd" }]]);
  const one = { subject: "message", step: "signature" } as const;
  await model.answer(reportOf([{ ...one, outcome: "ok" }]));
  await expect.poll(() => textOf(verdict)).toContain("signed this message");
  await button("Check the signature").click();
  await model.answer(reportOf([{ ...one, outcome: "differs", found: "BadSignature" }]));
  await expect.poll(() => textOf(verdict)).toContain("does not fit (BadSignature)");
});

describe.each(PAGE_LOCALES)("the form of a disclosure in %s", (locale) => {
  const { t } = checkTexts(locale);
  const payment: CheckStep = { subject: "disclosure", step: "payment", outcome: "ok" };
  const disclosed = { txid: TXID, address: ADDRESS, value: "7500000000", memo: null };

  test.each(["applied", "dropped", "open"] as const)("says that it is %s", async (effect) => {
    const model = new ModelCheck<DisclosureReport>();
    show(locale, () =>
      createComponent(DisclosureForm, { texts: checkTexts(locale), check: model.run }),
    );
    await field(t("disclosure.text")).fill('{"form":1}');
    await field(t("disclosure.txid")).fill(TXID);
    await button(t("disclosure.check")).click();
    expect(model.asked).toEqual([['{"form":1}', TXID]]);
    await model.answer({ steps: [payment], isKnownNetwork: true, disclosed, effect });
    const said = page.getByTestId("effect");
    await expect.element(said).toHaveTextContent(t(`disclosure.${effect}`));
    const facts = textOf(page.getByTestId("disclosed"));
    for (const part of [ADDRESS, "75", t("disclosure.noMemo")]) expect(facts).toContain(part);
    expect(await screenFaults(`${locale} ${effect}`, TARGETS)).toEqual([]);
  });
});
