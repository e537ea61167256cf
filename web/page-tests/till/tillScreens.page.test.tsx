/** Every screen of a till in three languages: whole, readable in both themes, large enough to be pressed, in all widths. */
import { INVOICE_STATUSES } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import { closePage } from "@svc/shared/gateway/pos/closePage.ts";
import type { PosFrame } from "@svc/shared/gateway/pos/posDocument.ts";
import { offlinePage, signInPage, tillPage } from "@svc/shared/gateway/pos/posPage.ts";
import { emptyClose, exampleTill } from "@svc/shared/gateway/testkit/exampleTill.ts";
import type { DayClose } from "@svc/shared/gateway/till/dayClose.ts";
import type { TillRecord } from "@svc/shared/gateway/till/tillRecordOf.ts";
import { describe, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { startTill } from "../../pos/till.ts";
import { posPart } from "../../pos/posPart.ts";
import { gatewayFaults } from "../testkit/gatewayFaults.ts";
import { showGatewayPage } from "../testkit/showGatewayPage.ts";
import { posFrame, pricedTill } from "./testkit/tillPages.ts";

/** A day with a sale in each state. */
const SOLD: DayClose = {
  ...emptyClose,
  complete: true,
  totals: INVOICE_STATUSES.map((status) => ({
    ...{ status, count: 1, amountSompi: "275000000", tipSompi: "25000000" },
    ...{ paidSompi: "275000000", prices: [{ currency: "EUR", value: "22.00", tip: "2.00" }] },
  })),
  sales: INVOICE_STATUSES.map((status, at) => ({
    ...{ id: asInvoiceId(`inv_${String(at).padStart(32, "0")}`), status, late: false },
    ...{ amountSompi: "275000000", tipSompi: "25000000", paidSompi: "275000000" },
    ...{ overpaidSompi: "0", createdAt: 1_785_056_760, expiresAt: 1_785_057_660 },
    price: {
      ...{ currency: "EUR", value: "22.00", tip: "2.00", rate: "8.00", source: "operator" },
      time: 1_785_056_760,
    },
  })),
};

const STALE: TillRecord = {
  ...exampleTill,
  rate: { currency: "EUR", rate: "8.00", source: "operator", time: 0, stale: true },
};

/** The screens, as the server renders each. */
const SCREENS: readonly (readonly [name: string, html: (frame: PosFrame) => string])[] = [
  ["sign-in", signInPage],
  ["till", (frame) => tillPage(pricedTill, frame)],
  ["till without a rate", (frame) => tillPage(exampleTill, frame)],
  ["till with an old rate", (frame) => tillPage(STALE, frame)],
  ["till in coins alone", (frame) => tillPage({ ...pricedTill, currency: null, tips: [] }, frame)],
  ["day's close", (frame) => closePage(SOLD, pricedTill, frame)],
  ["close of a day without sales", (frame) => closePage(emptyClose, exampleTill, frame)],
  ["no connection", offlinePage],
];

describe.each(["en", "de", "es"])("in %s", (tag) => {
  test.each(SCREENS)("%s", async (name, html) => {
    // A till asks for its rate again and again, for as long as its page is there.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    showGatewayPage(html(posFrame(tag)));
    if (name.startsWith("till")) startTill(posPart());
    await expect.element(page.getByRole("main")).toBeVisible();
    expect(document.documentElement.lang).toBe(tag);
    expect(document.querySelectorAll("h1")).toHaveLength(1);
    expect(document.body.innerText).not.toMatch(/NaN|undefined|\{\w+\}/);
    expect(await gatewayFaults(name)).toEqual([]);
  });
});
