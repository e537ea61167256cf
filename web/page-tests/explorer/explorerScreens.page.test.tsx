/** Every page of the explorer over the examples of the REST table, in three languages: whole, readable in all colours, in all widths. */
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import { describe, expect, test, vi } from "vitest";
import { axeFaults } from "../testkit/axeFaults.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { widthFaults } from "../testkit/widthFaults.ts";
import { EXPLORER_ADDRESSES } from "./testkit/explorerAddresses.ts";
import { expectDrawn, showExplorer } from "./testkit/showExplorer.ts";
import { SilentWorker } from "./testkit/silentWorker.ts";

/** Controls that are no link in a line of a text or of a table. */
const TARGETS = "button, input, select, textarea, summary, nav a, .brand, .languages a";

describe.each(PAGE_LOCALES)("in %s", (locale) => {
  test.each(EXPLORER_ADDRESSES)("%s is whole", async (address) => {
    vi.stubGlobal("Worker", SilentWorker);
    showExplorer(address, { locale });
    await expectDrawn();
    expect(document.body.innerText).not.toMatch(/NaN|undefined|\[object/);
    // The colours of a page are the same in each language.
    const faults =
      locale === "en"
        ? await screenFaults(address, TARGETS)
        : [...(await widthFaults(address)), ...(await axeFaults())];
    expect(faults).toEqual([]);
  });
});
