/** Contacts: their form, what they proved, their choice in the payment form, and the warning of an address that looks like theirs. */
import { signedMessageText } from "@svc/shared/signer/messages/signedMessageText.ts";
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { similarAddress } from "../../../tests/testkit/similarAddress.ts";
import { german } from "../../i18n/de/german.ts";
import { spanish } from "../../i18n/es/spanish.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { OwnedWallet } from "../testkit/owned/ownedWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { textIn } from "../testkit/textIn.ts";
import { button, field, goTo, textOf } from "../testkit/walletScreen.ts";

const rows = page.getByTestId("contact");
const proof = page.getByLabelText(/^Signed message of the contact/);
const address = page.getByLabelText("Address of the contact");
const lookAlike = page.getByText(/begins and ends like the address of a contact/);

/** A wallet whose contacts have proved nothing: Ann, with its own address, and Zoe, with a stranger's. */
function showWithContacts(hash: string): Promise<OwnedWallet> {
  return OwnedWallet.show({
    hash,
    before: async ({ annotations: { contacts }, model }) => {
      await contacts.put({ address: model.own, name: "Ann", signed: null });
      await contacts.put({ address: model.stranger(), name: "Zoe Unmistakable", signed: null });
    },
  });
}

const save = () => page.getByRole("button", { name: "Save", exact: true }).click();

describe("the form of a contact", () => {
  test("keeps a proof that was checked, and none that does not fit", async () => {
    const wallet = await OwnedWallet.show({ hash: "#/settings" });
    const { own } = wallet.model;
    const signed = signedMessageText(wallet.signed("Ann, for the shop"));
    await button("Add a contact").click();
    await field("Name").fill("Ann");
    await address.fill(wallet.model.stranger());
    await proof.fill(signed);
    await save();
    const foreign = page.getByText(/The viewing key does not belong to this address/);
    await expect.element(foreign).toBeVisible();
    expect(rows.elements()).toEqual([]);
    await address.fill(own);
    await proof.fill(signed.replace("for the shop", "for Eve"));
    await save();
    const altered = page.getByText(/signature does not belong to this address/i);
    await expect.element(altered).toBeVisible();
    expect(rows.elements()).toEqual([]);
    await proof.fill(signed);
    await save();
    await expect.element(rows.getByText(/Proved control of this address on/)).toBeVisible();
    await expect.element(rows.getByText(/Ann, for the shop/)).toBeVisible();
    expect(await wallet.annotations.contacts.list()).toMatchObject([
      { address: own, name: "Ann", proof: { message: "Ann, for the shop" } },
    ]);
    expect(await screenFaults("contacts")).toEqual([]);
  });

  test.each([
    ["Deutsch", german],
    ["Español", spanish],
  ])("is whole in %s", async (name, language) => {
    const named = (key: "contacts.add" | "form.cancel") =>
      page.getByRole("button", { name: textIn(language, key), exact: true });
    await showWithContacts("#/settings");
    await page.getByRole("radio", { name }).click();
    const title = page.getByRole("heading", { name: textIn(language, "contacts.title") });
    await expect.element(title).toBeVisible();
    await named("contacts.add").click();
    await expect.element(named("form.cancel")).toBeVisible();
    const text = textOf(page.getByRole("main"));
    expect(text).not.toContain("Signed message of the contact");
    expect(await screenFaults(`contacts in ${language.locale}`)).toEqual([]);
  });
});

test("a contact is removed at its line", async () => {
  await showWithContacts("#/settings");
  await button("Remove Zoe Unmistakable").click();
  await expect.element(rows.filter({ hasText: "Zoe" })).not.toBeInTheDocument();
  expect(rows.elements()).toHaveLength(1);
});

test("a contact is chosen in the payment form", async () => {
  const { model } = await showWithContacts("#/send");
  const [own, other] = [model.own, model.stranger()];
  const choices = page.getByLabelText("Choose a contact");
  const fields = page.getByLabelText("To", { exact: true });
  await choices.selectOptions(other);
  await expect.element(fields).toHaveValue(other);
  expect(await screenFaults("picker")).toEqual([]);
  await button("Add a payee").click();
  await choices.nth(1).selectOptions(own);
  await expect.element(fields.nth(1)).toHaveValue(own);
  await expect.element(fields.first()).toHaveValue(other);
});

test("an address that only looks like a contact's is warned of, beside the contact's", async () => {
  const { model } = await showWithContacts("#/settings");
  const other = model.stranger();
  await button("Add a contact").click();
  await address.fill(similarAddress(other));
  await expect.element(lookAlike).toBeVisible();
  await button("Cancel").click();
  await goTo("Send");
  await field("To").fill(similarAddress(other));
  await expect.element(lookAlike).toBeVisible();
  expect(textOf(page.getByTestId("look-alike"))).toBe(other);
  expect(textOf(page.getByTestId("contact-name"))).toContain("Zoe Unmistakable");
  expect(await axeFaults()).toEqual([]);
  await field("To").fill("");
  await expect.element(page.getByTestId("look-alike")).not.toBeInTheDocument();
});
