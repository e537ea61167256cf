/** The page of a claim in each state of its refund, and the pages in its place: whole in both themes, in all widths, in three languages. */
import { asAddressText } from "@svc/shared/base/brand.ts";
import type { Claim } from "@svc/shared/gateway/findClaim.ts";
import { noticePage } from "@svc/shared/gateway/page/checkoutPage.ts";
import { claimMessages, claimPage, type ClaimView } from "@svc/shared/gateway/page/claimPage.ts";
import type { ClaimMessages } from "@svc/shared/gateway/page/messages/claimMessages.ts";
import { pageLanguage } from "@svc/shared/gateway/page/pageLanguage.ts";
import { describe, expect, test } from "vitest";
import { commands, page, userEvent } from "vitest/browser";
import { gatewayFaults } from "../testkit/gatewayFaults.ts";
import { showGatewayPage } from "../testkit/showGatewayPage.ts";
import { button, field } from "../testkit/walletScreen.ts";

const ID = `clm_${"3d".repeat(16)}`;
const PATH = `/claim/${ID}`;
const ADDRESS = asAddressText(`svcsim:${"q".repeat(79)}`);
const TYPED = `${ADDRESS}x`;
const WRONG = { refused: { typed: TYPED, sentence: "The address has a typing error." } };
const OFFERED: Claim = {
  state: "requested",
  amountSompi: "50000000",
  address: null,
  storeName: "Example shop",
  network: "mainnet",
  expiresAt: 1_785_100_900,
  serverTime: 1_785_100_000,
};

/** What a page is made of, and the message that is its heading. */
type Shown = {
  readonly title: keyof ClaimMessages;
  readonly has?: Partial<Claim>;
  readonly view?: Partial<ClaimView>;
};

const given = (state: Claim["state"]): Partial<Claim> => ({ state, address: ADDRESS });
const late = { serverTime: OFFERED.expiresAt };

const SCREENS: readonly (readonly [name: string, shown: Shown])[] = [
  ["offered", { title: "requestedTitle" }],
  ["offered on a test network, by a shop without a name", { title: "requestedTitle", ...plain() }],
  ["offered by a shop with a long name, and much", { title: "requestedTitle", has: large() }],
  ["an address that is none", { title: "requestedTitle", view: WRONG }],
  ["an address is given", { title: "claimedTitle", has: given("claimed") }],
  ["an address is given, and the time is over", overTime()],
  ["changed", { title: "changeTitle", has: given("claimed"), view: { isChanging: true } }],
  ["changed to one that is none", { title: "changeTitle", has: given("claimed"), view: WRONG }],
  ["approved", { title: "approvedTitle", has: given("approved") }],
  ["sent", { title: "sentTitle", has: given("sent") }],
  ["confirmed", { title: "confirmedTitle", has: given("confirmed") }],
  ["cancelled before an address was given", { title: "cancelledTitle", has: cancelled() }],
  ["cancelled", { title: "cancelledTitle", has: given("cancelled") }],
  ["failed", { title: "failedTitle", has: given("failed") }],
];

function plain(): Pick<Shown, "has" | "view"> {
  return { has: { storeName: "", network: "simnet" }, view: { livemode: false } };
}

function large(): Partial<Claim> {
  return { storeName: "Uninterrupted".repeat(6), amountSompi: "2123456789012345678" };
}

function overTime(): Shown {
  return { title: "claimedTitle", has: { ...given("claimed"), ...late } };
}

function cancelled(): Partial<Claim> {
  return { state: "cancelled" };
}

/** No such refund, and an address that another page sent. */
const NOTICES = [
  ["missingTitle", "missingText"],
  ["foreignTitle", "foreignText"],
] as const;

const frameOf = (tag: string) => ({ language: pageLanguage(tag, undefined), nonce: "00ff" });

/** Shows it until the test ends. */
function show({ has, view }: Omit<Shown, "title"> = {}, tag = "en"): void {
  const all = { id: ID, livemode: true, isChanging: false, refused: null, ...view };
  showGatewayPage(claimPage({ ...OFFERED, ...has }, all, frameOf(tag)));
}

async function expectWhole(name: string, tag: string, title: string): Promise<void> {
  await expect.element(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  expect(document.title).toContain(title);
  expect(document.querySelectorAll("main")).toHaveLength(1);
  expect(document.documentElement.lang).toBe(tag);
  expect(document.body.innerText).not.toMatch(/NaN|undefined|\{\w+\}/);
  expect(await gatewayFaults(name)).toEqual([]);
}

describe.each(["en", "de", "es"])("in %s", (tag) => {
  const messages = claimMessages(frameOf(tag).language);

  test.each(SCREENS)("%s", async (name, shown) => {
    show(shown, tag);
    await expectWhole(name, tag, messages[shown.title]);
  });

  test.each(NOTICES)("no page of a claim: %s", async (title, text) => {
    const told = { title: messages[title], text: messages[text] };
    showGatewayPage(noticePage(told, frameOf(tag)));
    await expect.element(page.getByText(told.text)).toBeVisible();
    await expectWhole(title, tag, told.title);
  });
});

/** Notes what forms would send, and has none of them leave the page. */
function notedForms(): readonly unknown[] {
  const sent: unknown[] = [];
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const { method, action } = event.target;
    sent.push([method, new URL(action).pathname, [...new FormData(event.target)]]);
  });
  return sent;
}

describe("the form", () => {
  test("sends the address to its claim and nothing else, by key and by press", async () => {
    show();
    const sent = notedForms();
    await field("Your address").fill(ADDRESS);
    await userEvent.keyboard("{Enter}");
    await button("Send the address to the shop").click();
    const once = ["post", PATH, [["address", ADDRESS]]];
    expect(sent).toEqual([once, once]);
  });

  test("sends nothing while it is empty", async () => {
    show();
    const sent = notedForms();
    await button("Send the address to the shop").click();
    await expect.element(field("Your address")).toHaveFocus();
    expect(document.querySelector("input:invalid")).not.toBeNull();
    expect(sent).toEqual([]);
  });

  test.each([
    ["en", "Your address", "Error: "],
    ["de", "Ihre Adresse", "Fehler: "],
    ["es", "Su dirección", "Error: "],
  ])("says in %s at the field what is wrong with it, and keeps it", async (tag, label, error) => {
    show({ view: WRONG }, tag);
    const { sentence } = WRONG.refused;
    await expect.element(page.getByRole("alert")).toHaveTextContent(sentence);
    const { hint } = claimMessages(frameOf(tag).language);
    await expect.element(field(label)).toHaveValue(TYPED);
    await expect.element(field(label)).toBeInvalid();
    await expect.element(field(label)).toHaveAccessibleDescription(`${sentence} ${hint}`);
    expect(document.title.startsWith(error)).toBe(true);
  });
});

const CHANGE = ["Change the address", `${PATH}?change`];
const KEEP = ["Leave it as it is", PATH];

test.each<readonly [string, Omit<Shown, "title">, readonly string[][]]>([
  ["can be changed", { has: given("claimed") }, [CHANGE]],
  ["can be left", { has: given("claimed"), view: { isChanging: true } }, [KEEP]],
  ["stays once the time is over", { has: { ...given("claimed"), ...late } }, []],
  ["stays once it is approved", { has: given("approved"), view: { isChanging: true } }, []],
])("an address that was given %s", async (_, shown, links) => {
  show(shown);
  await expect.element(page.getByText(ADDRESS, { exact: true })).toBeVisible();
  const found = [...document.querySelectorAll("a")];
  expect(found.map((link) => [link.innerText, link.pathname + link.search])).toEqual(links);
});

test.each(["light", "dark"] as const)("shows where the focus is, %s", async (colorScheme) => {
  await commands.emulateMedia({ colorScheme });
  show();
  for (const part of [field("Your address"), button("Send the address to the shop")]) {
    await userEvent.keyboard("{Tab}");
    await expect.element(part).toHaveFocus();
    expect(getComputedStyle(part.element()).outline).toContain("solid 3px");
  }
});
