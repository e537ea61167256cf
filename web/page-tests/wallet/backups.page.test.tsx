/** Backups: the file and the page of paper that are made after the passphrase, and the form that takes a file, or says why not. */
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { seedCheck } from "@svc/shared/wallet/state/seedText.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { commands, page } from "vitest/browser";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { NO_ANNOTATIONS } from "../../wallet-api/backupAnnotations.ts";
import { restoredAnnotations } from "../../wallet-worker/backup/restoredAnnotations.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { savedFiles } from "../testkit/savedFiles.ts";
import { PASSPHRASE } from "../testkit/keys/cheapKeyring.ts";
import { showFirst, showSettings } from "../testkit/keys/showKeys.ts";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { button, field } from "../testkit/walletScreen.ts";

const NOW_MS = Date.UTC(2026, 10, 30, 12);
const DAEMON_FILE = JSON.stringify({ magic: "svc-wallet-backup", version: 1 });

const dialog = () => page.getByRole("dialog");
const wrong = () => page.getByText(/This passphrase does not open the wallet/);

async function typePassphrase(passphrase: string, submit: string): Promise<void> {
  await dialog().getByLabelText("Passphrase", { exact: true }).fill(passphrase);
  await dialog().getByRole("button", { name: submit }).click();
}

/** Chooses a file inside the page: a large one takes long on its way through the browser's own dialog. */
async function chooseFile(content: BlobPart, passphrase: string): Promise<void> {
  const input = field("Backup file").element();
  if (!(input instanceof HTMLInputElement)) throw new TypeError("no field takes a file");
  const chosen = new DataTransfer();
  chosen.items.add(new File([content], "wallet.json", { type: "application/json" }));
  input.files = chosen.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  await field("Passphrase of the file").fill(passphrase);
  await button("Restore wallet").click();
}

/** Digits of the seed in their groups, as they are shown. */
function shownDigits(): string {
  const groups = page.getByTestId("seed").getByRole("listitem").elements();
  return groups.map((group) => group.lastElementChild?.textContent ?? group.textContent).join("");
}

describe("a backup file", () => {
  test("is saved after the passphrase alone, and holds no seed in clear", async () => {
    vi.setSystemTime(NOW_MS);
    const files = savedFiles();
    const { keys } = await showSettings();
    await button("Backup file").click();
    await typePassphrase("not the passphrase", "Save file");
    await expect.element(wrong()).toBeVisible();
    expect(files).toEqual([]);
    await typePassphrase(PASSPHRASE, "Save file");
    await expect.element(page.getByText(/The file is saved/)).toBeVisible();
    expect(await screenFaults("backup file")).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(["wallet-net-2026-11-30.json"]);
    const text = (await files[0]?.content.text()) ?? "";
    expect(JSON.parse(text)).toMatchObject({ magic: "svc-browser-wallet" });
    expect(text).not.toContain(encodeHex(keys.seed));
  });

  test.each([
    ["contacts", "The contacts are not in it"],
    ["labels", "The names of addresses are not in it"],
    ["payment-labels", "The remarks on payments are not in it"],
  ] as const)(
    "without damaged %s is saved all the same, and that is said",
    async (record, words) => {
      const files = savedFiles();
      const lacking = { annotations: NO_ANNOTATIONS, leftOut: [record] };
      await showSettings({ wallet: { backupAnnotations: async () => lacking } });
      await button("Backup file").click();
      await typePassphrase(PASSPHRASE, "Save file");
      await expect.element(page.getByText(words)).toBeVisible();
      expect(files).toHaveLength(1);
      expect(
        dialog()
          .getByText(/are not in it/)
          .elements(),
      ).toHaveLength(1);
    },
  );

  test("is taken with its passphrase, which is asked for at its field", async () => {
    const { keys, workers } = await showFirst();
    await button("Restore from a file").click();
    await chooseFile(keys.file(), "not its passphrase");
    await expect.element(wrong()).toBeVisible();
    await expect.element(field("Passphrase of the file")).toHaveAttribute("aria-invalid", "true");
    expect(await axeFaults()).toEqual([]);
    expect(workers.callsOf("adopt")).toEqual([]);
    await chooseFile(keys.file(), PASSPHRASE);
    await expect.poll(() => workers.callsOf("adopt")).toHaveLength(1);
    const [, from] = workers.callsOf("adopt")[0] ?? [];
    expect(from).toMatchObject({ kind: "backup", annotations: NO_ANNOTATIONS });
    await expect.poll(() => workers.callsOf("confirmBackup")).toHaveLength(1);
  });

  test("is asked for where none was chosen", async () => {
    const { workers } = await showFirst();
    await button("Restore from a file").click();
    await field("Passphrase of the file").fill(PASSPHRASE);
    await button("Restore wallet").click();
    await expect.element(page.getByText(/Choose the file first/)).toBeVisible();
    expect(workers.callsOf("restoreFile")).toEqual([]);
  });

  test.each<[string, (file: Uint8Array<ArrayBuffer>) => BlobPart, RegExp]>([
    ["that is damaged", damaged, /it is damaged/],
    ["that is cut", (file) => file.slice(0, 200), /it is no backup of this wallet/],
    ["that is something else", () => "a holiday picture", /it is no backup of this wallet/],
    ["of a daemon", () => DAEMON_FILE, /wallet daemon/],
    ["that is too large", () => " ".repeat(PAGE_LIMITS.backupFileBytes + 1), /it is too large/],
  ])("%s is refused in words, and nothing is stored", async (_, change, sentence) => {
    const { keys, workers } = await showFirst();
    await button("Restore from a file").click();
    await chooseFile(change(keys.file()), PASSPHRASE);
    await expect.element(page.getByText(sentence)).toBeVisible();
    await expect.element(field("Backup file")).toHaveAttribute("aria-invalid", "true");
    expect(workers.callsOf("adopt")).toEqual([]);
  });
});

test("a file that lies about its annotations is refused in words", async () => {
  const { core } = await ModelWallet.unpaid();
  const seed = new Uint8Array(32).fill(9);
  const viewingKey = new Uint8Array(callCore(() => core.fullViewingKey(seed)));
  const raw = callCore(() => core.addressAt(viewingKey, 0));
  // A contact of another network: whoever pays it pays nobody.
  const away = callCore(() => core.encodeAddress("away", raw));
  const contacts = `{"contacts":[["${away}","Zoe",null]],"version":1}`;
  const dataKey = new Uint8Array(32);
  const parts = { core, hrp: "x", keys: async () => ({ dataKey, viewingKey }) };
  const stored: unknown[] = [];
  const { keys } = await showFirst({
    wallet: {
      adopt: async (_, from) => void stored.push(await restoredAnnotations(from, parts)),
    },
  });
  await button("Restore from a file").click();
  await chooseFile(keys.file({ ...NO_ANNOTATIONS, contacts }), PASSPHRASE);
  await expect.element(page.getByText(/its contacts cannot be read/)).toBeVisible();
  expect(await screenFaults("lying file")).toEqual([]);
  expect(stored).toEqual([]);
  await chooseFile(keys.file(), PASSPHRASE);
  await expect.poll(() => stored).toEqual([[]]);
});

/** One digit of the sealed part is another one. */
function damaged(file: Uint8Array): string {
  const text = new TextDecoder().decode(file);
  const changed = text.replace(/"sealed": "01/, '"sealed": "02');
  expect(changed).not.toBe(text);
  return changed;
}

describe("a paper backup", () => {
  test("is shown after the passphrase alone, is nothing but the page when it is printed, and goes", async () => {
    const { keys } = await showSettings();
    const paper = encodeHex(keys.seed) + seedCheck(keys.seed);
    await button("Paper backup").click();
    await typePassphrase("not the passphrase", "Show the page");
    await expect.element(wrong()).toBeVisible();
    const seed = page.getByTestId("seed");
    expect(seed.query()).toBeNull();
    await typePassphrase(PASSPHRASE, "Show the page");
    await expect.element(seed).toBeVisible();
    expect(shownDigits()).toBe(paper);
    await expect.element(page.getByRole("img", { name: /QR code/ })).toBeVisible();
    await expect.element(page.getByText("First used")).toBeVisible();
    await expect.element(page.getByText("2026-11-01", { exact: true })).toBeVisible();
    expect(await axeFaults()).toEqual([]);

    // On paper there is the page alone: no menu, no buttons, no warning about printers.
    const screenOnly = [
      button("Print"),
      button("Close"),
      page.getByRole("navigation").first(),
      page.getByText(/printer/i).first(),
    ].map((place) => place.element());
    const seen = () => screenOnly.filter((element) => element.checkVisibility());
    expect(seen()).toEqual(screenOnly);
    onTestFinished(() => commands.emulateMedia({ media: null }));
    await commands.emulateMedia({ media: "print" });
    await expect.poll(seen).toEqual([]);
    await expect.element(seed).toBeVisible();
    await commands.emulateMedia({ media: null });

    await button("Close").click();
    await expect.element(seed).not.toBeInTheDocument();
    expect(document.documentElement.outerHTML).not.toContain(paper.slice(0, 8));
  });
});

test("B3: the seed is shown with check digits after the passphrase alone", async () => {
  const { keys } = await showSettings();
  const paper = encodeHex(keys.seed) + seedCheck(keys.seed);
  expect(decodeHex(paper.slice(0, 64))).toEqual(keys.seed);
  await button("Reveal seed").click();
  await typePassphrase("not the passphrase", "Reveal");
  await expect.element(wrong()).toBeVisible();
  expect(page.getByTestId("seed").query()).toBeNull();
  await typePassphrase(PASSPHRASE, "Reveal");
  await expect.element(page.getByTestId("seed")).toBeVisible();
  expect(shownDigits()).toBe(paper);
});
