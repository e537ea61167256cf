/** A till that signs in and out: what it sends, and what it says where it is refused. Where it then goes a whole browser shows. */
import { signInPage, tillPage } from "@svc/shared/gateway/pos/posPage.ts";
import { describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { posPart } from "../../pos/posPart.ts";
import { heedSignIn } from "../../pos/signIn.ts";
import { heedSignOut } from "../../pos/signOut.ts";
import { gatewayFaults } from "../testkit/gatewayFaults.ts";
import { showGatewayPage, type GatewayAnswer } from "../testkit/showGatewayPage.ts";
import { button, field } from "../testkit/walletScreen.ts";
import { posFrame, pricedTill } from "./testkit/tillPages.ts";

function refuses(status: number, code: string): GatewayAnswer {
  return () => Response.json({ code }, { status });
}

const BAD = refuses(401, "gateway/bad-sign-in");

describe("the form", () => {
  test.each([
    ["en", "Name or password is not right."],
    ["de", "Name oder Passwort stimmt nicht."],
    ["es", "El nombre o la contraseña no son correctos."],
  ])("says in %s that a password is wrong, and lets it be typed anew", async (tag, text) => {
    const shown = showGatewayPage(signInPage(posFrame(tag)), BAD);
    heedSignIn(posPart());
    await userEvent.keyboard("{Tab}");
    await userEvent.keyboard(" Counter ");
    await userEvent.keyboard("{Tab}");
    await userEvent.keyboard("wrong password");
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByRole("alert").getByText(text)).toBeVisible();
    expect(shown.calls).toEqual([
      {
        ...{ method: "POST", path: "/pos/v1/session", key: null },
        body: { till: "counter", password: "wrong password" },
      },
    ]);
    const { activeElement } = document;
    expect(activeElement).toMatchObject({ name: "password", selectionStart: 0, selectionEnd: 14 });
    expect(await gatewayFaults(tag)).toEqual([]);
  });

  test.each<readonly [string, GatewayAnswer, string | RegExp]>([
    ["a name that is none", refuses(400, "api/bad-field"), "Name or password is not right."],
    ["too many tries", refuses(429, "http/too-many-requests"), "Too many tries at once."],
    ["no connection", () => null, /No connection to the gateway/],
    ["a fault", refuses(500, "gateway/other"), "This does not work at the moment."],
  ])("says what is wrong: %s", async (_, answer, text) => {
    showGatewayPage(signInPage(posFrame("en")), answer);
    heedSignIn(posPart());
    await field("Name of the till").fill("counter");
    await field("Password").fill("correct horse");
    await button("Sign in").click();
    await expect.element(page.getByRole("alert").getByText(text)).toBeVisible();
    await expect.element(button("Sign in")).toBeEnabled();
  });
});

test("a till that cannot sign out says so, and stays signed in", async () => {
  const shown = showGatewayPage(tillPage(pricedTill, posFrame("en")), () => null);
  heedSignOut(posPart());
  await button("Sign out").click();
  await expect
    .element(page.getByRole("alert").getByText(/No connection to the gateway/))
    .toBeVisible();
  expect(shown.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "DELETE /pos/v1/session",
  ]);
  await expect.element(button("Sign out")).toBeEnabled();
});
