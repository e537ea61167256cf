/** The wallet page in three languages and all colours: found without fault by axe, on every width, and never half in English. */
import { describe, expect, test, vi } from "vitest";
import { commands, page } from "vitest/browser";
import { german } from "../../i18n/de/german.ts";
import { typedCoins } from "../../i18n/amounts/typedCoins.ts";
import { en } from "../../i18n/en/en.ts";
import { spanish } from "../../i18n/es/spanish.ts";
import { ENGLISH, type Language } from "../../i18n/language.ts";
import { chooseLanguage } from "../../state/language/languageChoice.ts";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";
import type { FakeWorkers } from "../testkit/fakeWorkers.ts";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { newcomer } from "../testkit/snapshots.ts";
import { textOf } from "../testkit/walletScreen.ts";

const PASSPHRASE = "vier Wörter ohne Zusammenhang";
const AMOUNT = 150_000_000n;
const NOW_MS = 1_300_000;

const VAULT: VaultRecord = {
  header: "{}",
  passSlot: new Uint8Array(60),
  seed: new Uint8Array(60),
};

/** A walk through the screens in one language, which collects their faults. */
class Walk {
  readonly faults: string[] = [];
  readonly #language: Language;
  readonly #english: ReadonlySet<string>;

  constructor(language: Language) {
    this.#language = language;
    this.#english = englishOnly(language);
  }

  /** A text of the language, without slots. */
  say(key: keyof typeof en): string {
    const message = this.#language.texts[key];
    return typeof message === "string" ? message : message.other;
  }

  async press(key: keyof typeof en): Promise<void> {
    await page.getByRole("button", { name: this.say(key), exact: true }).click();
  }

  /** Presses a button whose name begins with this text and goes on with its explanation. */
  async choose(key: keyof typeof en): Promise<void> {
    await page.getByRole("button", { name: this.say(key) }).click();
  }

  async fill(key: keyof typeof en, text: string): Promise<void> {
    await page.getByLabelText(this.say(key), { exact: true }).fill(text);
  }

  async reads(key: keyof typeof en): Promise<void> {
    const said = this.say(key);
    await expect.poll(() => document.body.innerText).toContain(said);
  }

  async goTo(key: "nav.home" | "nav.receive" | "nav.send" | "nav.history" | "nav.settings") {
    const menu = page.getByRole("navigation", { name: this.say("app.navigation") });
    await menu.getByRole("link", { name: this.say(key), exact: true }).click();
  }

  /** Looks at the screen that is shown. */
  async look(name: string): Promise<void> {
    const { locale } = this.#language;
    this.faults.push(...(await screenFaults(`${name} in ${locale}`)));
    for (const line of document.body.innerText.split("\n")) {
      if (this.#english.has(line.trim())) this.faults.push(`${name} in ${locale} says: ${line}`);
    }
  }
}

/** Texts of English that this language says otherwise. */
function englishOnly({ texts }: Language): ReadonlySet<string> {
  const own = new Set<unknown>(Object.values(texts));
  const plain = Object.values<unknown>(en).filter((text) => typeof text === "string");
  return new Set(plain.filter((text) => !own.has(text)));
}

/** From the first screen to the open wallet, whose seed is not written down yet. */
async function createWallet(walk: Walk, model: ModelWallet, workers: FakeWorkers): Promise<void> {
  await walk.reads("welcome.title");
  await walk.look("welcome");
  await walk.choose("welcome.restore");
  await walk.look("restore");
  await walk.press("form.back");
  await walk.choose("welcome.create");
  await walk.fill("passphrase.label", PASSPHRASE);
  await walk.fill("passphrase.again", PASSPHRASE);
  await walk.look("create");
  await walk.press("create.submit");
  await walk.press("backup.show");
  await walk.look("backup");
  await workers.tell({ ...model.snapshot(), backupConfirmed: false });
  await walk.press("backup.later");
  await walk.reads("status.ready");
}

/** The screens of the open wallet, up to the one that asks for the passphrase again. */
async function walkThrough(walk: Walk, model: ModelWallet, locale: string): Promise<void> {
  await walk.goTo("nav.receive");
  await expect.poll(() => textOf(page.getByTestId("address"))).toBe(model.own);
  await walk.look("receive");
  await walk.goTo("nav.home");
  await expect.element(page.getByTestId("spendable").filter({ hasText: /[1-9]/ })).toBeVisible();
  await walk.look("home");
  await walk.goTo("nav.history");
  await expect.element(page.getByTestId("history-row").first()).toBeVisible();
  await walk.look("history");
  await page.getByTestId("history-row").filter({ hasText: "Zwei Brote" }).click();
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await walk.look("detail");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: walk.say("dialog.close") })
    .first()
    .click();
  await walk.goTo("nav.send");
  await walk.fill("send.to", model.own);
  await walk.fill("send.amount", typedCoins(AMOUNT, locale));
  await walk.fill("send.memo", "Zwei Brote");
  await walk.look("send");
  await walk.press("send.review");
  await walk.reads("send.reviewTitle");
  await walk.look("review");
  await walk.goTo("nav.settings");
  await walk.reads("settings.title");
  await walk.look("settings");
}

describe.each([ENGLISH, german, spanish])("in $locale", (language) => {
  test("every screen is whole, readable in all colours and fits all widths", async () => {
    const { locale } = language;
    vi.setSystemTime(NOW_MS);
    const model = await ModelWallet.open();
    model.payOwn(AMOUNT, "Zwei Brote");
    await chooseLanguage(locale);
    expect(document.documentElement.lang).toBe(locale);
    const workers = await showWallet(newcomer(), {
      wallet: { ...model.answers(), adopt: async () => undefined },
      keyring: {
        create: async () => ({ vault: VAULT, seed: new Uint8Array(32).fill(0x5a) }),
      },
    });
    const walk = new Walk(language);
    await createWallet(walk, model, workers);
    await walkThrough(walk, model, locale);
    await walk.press("settings.lock");
    await workers.tell({ ...model.snapshot(), access: "locked", wallet: null });
    await walk.reads("unlock.title");
    await walk.look("unlock");
    expect(walk.faults).toEqual([]);
  });
});

test("colours of the system leave the marks on what is chosen", async () => {
  const bordersOf = (shown: string) =>
    [...document.querySelectorAll(shown)].map((each) => getComputedStyle(each).borderTopWidth);
  await commands.emulateMedia({ forcedColors: "active" });
  const workers = await showWallet(newcomer());
  await expect.element(page.getByRole("radio").first()).toBeInTheDocument();
  expect(bordersOf("input:checked + span")).toEqual(["2px"]);
  expect(bordersOf("input:not(:checked) + span")).toEqual(["0px", "0px"]);
  await workers.tell((await ModelWallet.unpaid()).snapshot());
  await expect.element(page.getByTestId("total")).toBeVisible();
  expect(bordersOf("nav a[aria-current=page]")).toEqual(["2px"]);
});
