import { describe, expect, it } from "vitest";
import { readCsv } from "../../base/csv.ts";
import { testInvoice } from "../../invoice/testkit/invoices.ts";
import type { DayClose } from "./dayClose.ts";
import { dayCloseCsv } from "./dayCloseCsv.ts";
import { saleRecordOf, type Sale } from "./saleRecordOf.ts";
import { dayBefore, dayOf, isTimeZone, localTime } from "./tillDay.ts";

const BOUNDS = { records: 10, fields: 20, chars: 200 };
const INVOICE = testInvoice();

function closeOf(sales: readonly Sale[]): DayClose {
  return {
    ...{ till: "counter", day: "2026-11-27", timeZone: "Europe/Berlin", complete: true },
    ...{ totals: [], sales, serverTime: 0 },
  };
}

describe("the CSV of a day", () => {
  it("has no field that a spreadsheet takes for a formula, whatever a source of prices calls itself", () => {
    const evil = `=HYPERLINK("https://evil.example","x")`;
    const price = { currency: "EUR", value: "1.00", tip: "0", rate: "8", source: evil, time: 0 };
    const sale = { ...saleRecordOf(INVOICE, INVOICE.terms.createdMs), price };
    const text = dayCloseCsv(closeOf([sale]));
    const [head, line] = readCsv(text, BOUNDS);
    expect(line?.fields[head?.fields.indexOf("rate_source") ?? -1]).toBe(`'${evil}`);
    for (const field of line?.fields ?? []) expect(field).not.toMatch(/^[=+\-@\t\r]/);
    expect(text.split("\r\n")).toHaveLength(3);
  });

  it("has amounts digit for digit, and the time zone with each time", () => {
    const sale = {
      ...saleRecordOf(INVOICE, INVOICE.terms.createdMs),
      amountSompi: "9223372036854775807",
      createdAt: 1_785_100_000,
    };
    const [, line] = readCsv(dayCloseCsv(closeOf([sale])), BOUNDS);
    expect(line?.fields).toContain("92233720368.54775807");
    expect(line?.fields.slice(0, 2)).toEqual(["2026-07-26T23:06:40+02:00", "Europe/Berlin"]);
  });
});

describe("a tip", () => {
  it("is what the till wrote, and none where its merchant wrote something else since", () => {
    const { terms } = INVOICE;
    const tip = (tipSompi: string): string =>
      saleRecordOf({ ...INVOICE, terms: { ...terms, metadata: { tipSompi } } }, terms.createdMs)
        .tipSompi;
    expect(tip("1")).toBe("1");
    for (const odd of ["-1", "1.5", "x", "", "9".repeat(19), "9".repeat(40)]) {
      expect(tip(odd), odd).toBe("0");
    }
  });
});

describe("a day", () => {
  it("begins by the clock of its zone, also where that is set", () => {
    // In Berlin the clock goes back on 25 October 2026 at 1:00 UTC.
    expect(localTime(1_792_886_400, "Europe/Berlin")).toBe("2026-10-25T02:00:00+02:00");
    expect(localTime(1_792_890_000, "Europe/Berlin")).toBe("2026-10-25T02:00:00+01:00");
    expect(localTime(1_785_100_000, "Asia/Kathmandu")).toMatch(/\+05:45$/);
    expect(localTime(1_785_100_000, "America/St_Johns")).toMatch(/-02:30$/);
    expect(dayOf(1_785_100_000, "UTC")).toBe("2026-07-26");
    expect(dayOf(1_785_100_000, "Asia/Tokyo")).toBe("2026-07-27");
    expect(dayBefore("2026-03-01")).toBe("2026-02-28");
  });

  it("is of a zone that the time zone database has", () => {
    for (const zone of ["Europe/Berlin", "UTC"]) expect(isTimeZone(zone)).toBe(true);
    for (const zone of ["", "Mars/Olympus", "Europe/Berlin; x"])
      expect(isTimeZone(zone)).toBe(false);
  });
});
