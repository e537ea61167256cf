import { describe, expect, it } from "vitest";
import { asAddressText } from "../../base/brand.ts";
import { REFUND_STATES, type RefundState } from "../../protocol/gateway/refundRecord.ts";
import type { Claim } from "../findClaim.ts";
import { claimMessages, claimPage, type ClaimView } from "./claimPage.ts";
import { PAGE_LANGUAGES, type PageLanguage } from "./pageLanguage.ts";

const ID = `clm_${"3d".repeat(16)}`;
const ADDRESS = asAddressText(`svcsim:${"q".repeat(79)}`);
const OFFERED: Claim = {
  state: "requested",
  amountSompi: "50000000",
  address: null,
  storeName: "Example shop",
  network: "mainnet",
  expiresAt: 1_785_100_900,
  serverTime: 1_785_100_000,
};
const RELOAD = '<meta http-equiv="refresh"';

/** What each state has to say, in each language. */
const SAYS: Readonly<Record<RefundState, Readonly<Record<PageLanguage["tag"], string>>>> = {
  requested: {
    en: "Where shall your refund go?",
    de: "Wohin soll Ihre Rückzahlung gehen?",
    es: "¿A dónde debe ir su reembolso?",
  },
  claimed: {
    en: "The shop has to approve it",
    de: "Der Shop muss sie freigeben",
    es: "La tienda debe aprobarla",
  },
  approved: { en: "has approved", de: "freigegeben", es: "ha aprobado" },
  sent: { en: "on its way", de: "unterwegs", es: "en camino" },
  confirmed: { en: "has been paid", de: "ist gezahlt", es: "está pagado" },
  cancelled: { en: "no longer offered", de: "nicht mehr angeboten", es: "ya no se ofrece" },
  failed: { en: "could not be paid", de: "ließ sich nicht zahlen", es: "No se pudo pagar" },
};

function rendered(
  has: Partial<Claim> = {},
  view: Partial<ClaimView> = {},
  language: PageLanguage = PAGE_LANGUAGES[0],
): string {
  const shown = { id: ID, livemode: true, isChanging: false, refused: null, ...view };
  const frame = { language, nonce: "00ff" };
  return claimPage({ ...OFFERED, ...has }, shown, frame).replaceAll("\u00a0", " ");
}

describe("the page of a claim", () => {
  for (const state of REFUND_STATES) {
    it(`says in each language that a refund is ${state}`, () => {
      for (const language of PAGE_LANGUAGES) {
        const address = state === "requested" ? null : ADDRESS;
        const page = rendered({ state, address }, {}, language);
        expect(page).toContain(SAYS[state][language.tag]);
        expect(page).toContain(`<html lang="${language.tag}"`);
        expect(page).toContain("Example shop");
        expect(page).not.toMatch(/>[^<]*\{\w+\}[^<]*</);
        expect(page).not.toContain("undefined");
        expect(page).not.toContain("<script");
        if (address !== null) expect(page).toContain(`<code id="given">${ADDRESS}</code>`);
      }
    });
  }

  it("has every message in every language, with the same slots", () => {
    const slotsOf = (text: string): readonly string[] => text.match(/\{\w+\}/g)?.toSorted() ?? [];
    const english = Object.entries(claimMessages({ tag: "en" }));
    for (const language of PAGE_LANGUAGES) {
      const entries = Object.entries(claimMessages(language));
      expect(entries.map(([name]) => name)).toEqual(english.map(([name]) => name));
      expect(entries.every(([, text]) => text !== "")).toBe(true);
      expect(entries.map(([, text]) => slotsOf(text))).toEqual(
        english.map(([, text]) => slotsOf(text)),
      );
    }
  });

  it("shows what is offered and until when, and asks for an address in a labelled field", () => {
    const page = rendered();
    expect(page).toContain("<strong>0.5 coins</strong>");
    expect(page).toContain('<time datetime="2026-07-26T21:21:40.000Z">');
    expect(page).toContain(`<form method="post" action="/claim/${ID}" autocomplete="off">`);
    expect(page).toContain('<label for="address">Your address</label>');
    for (const attribute of [
      'inputmode="text"',
      'autocomplete="off"',
      'spellcheck="false"',
      'aria-describedby="hint"',
    ]) {
      expect(page, attribute).toContain(attribute);
    }
    expect(page).not.toContain("aria-invalid=");
    expect(rendered({ storeName: "" })).not.toContain('class="store"');
  });

  it("takes another address until the refund is approved, and not after its time", () => {
    const claimed = { state: "claimed", address: ADDRESS } as const;
    expect(rendered(claimed)).toContain(`href="/claim/${ID}?change"`);
    expect(rendered(claimed)).not.toContain("<form");
    const changing = rendered(claimed, { isChanging: true });
    expect(changing).toContain("<form");
    expect(changing).toContain(ADDRESS);
    expect(changing).toContain(`href="/claim/${ID}"`);
    const late = { ...claimed, serverTime: OFFERED.expiresAt };
    for (const has of [late, { ...claimed, state: "approved" } as const]) {
      const page = rendered(has, { isChanging: true });
      expect(page).not.toContain("<form");
      expect(page).not.toContain("?change");
    }
    expect(rendered(late)).toContain("can no longer be changed");
  });

  it("loads itself again while it waits, and never while somebody types", () => {
    const reloads = (state: RefundState, view: Partial<ClaimView> = {}): boolean =>
      rendered({ state, address: ADDRESS }, view).includes(RELOAD);
    expect(REFUND_STATES.filter((state) => reloads(state))).toEqual([
      "claimed",
      "approved",
      "sent",
    ]);
    expect(reloads("claimed", { isChanging: true })).toBe(false);
    const refused = { typed: "x", sentence: "It is none." };
    expect(reloads("claimed", { refused })).toBe(false);
  });

  it("says beside the field why an address was refused, and keeps what was typed", () => {
    const refused = { typed: "svcsim:typo", sentence: "The address has a typing error." };
    const page = rendered({}, { refused });
    expect(page).toContain("<title>Error: Where shall your refund go?</title>");
    expect(page).toContain('aria-describedby="wrong hint" aria-invalid="true"');
    expect(page).toContain(
      '<p id="wrong" class="wrong" role="alert" lang="en">The address has a typing error.</p>',
    );
    expect(page).toContain('value="svcsim:typo"');
  });

  it("takes no markup of a shop, an address or what was typed", () => {
    const evil = `"><script>alert(1)</script>{store}<img src=x onerror='x'>`;
    const page = rendered(
      { storeName: evil, state: "claimed", address: asAddressText(evil) },
      { refused: { typed: evil, sentence: evil } },
    );
    expect(page).not.toContain("<script");
    expect(page).not.toContain("<img");
    expect(page.split("&lt;script&gt;alert(1)&lt;/script&gt;{store}")).toHaveLength(5);
  });

  it("says that coins of a test network have no value", () => {
    expect(rendered({}, { livemode: false })).toContain("these coins have no value");
    expect(rendered()).not.toContain("no value");
  });
});
