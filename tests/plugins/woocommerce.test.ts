/** The WooCommerce plugin: its own tests in PHP, and its script for the browser. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { hasPhp, listPhpTests, runPhpTests } from "./phpTests.ts";

const plugin = new URL("../../edge/plugin/woocommerce/", import.meta.url);
const program = fileURLToPath(new URL("tests/run.php", plugin));
const isThere = hasPhp();
const names = isThere ? listPhpTests(program) : ["(no PHP: sh scripts/setup.sh php)"];

describe.skipIf(!isThere)("in PHP", () => {
  let run: Awaited<ReturnType<typeof runPhpTests>>;
  beforeAll(async () => {
    run = await runPhpTests(program);
  });

  it.each(names)("%s", (name) => {
    expect(run.errors.get(name), run.output.slice(-2_000)).toBeDefined();
    expect(run.errors.get(name)).toBeNull();
  });
});

describe("the script of the checkout block", () => {
  /** Runs it as a page of the shop does; what it registered. */
  function registered(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const found: Record<string, unknown>[] = [];
    const window = {
      wc: {
        wcBlocksRegistry: {
          registerPaymentMethod: (one: Record<string, unknown>) => found.push(one),
        },
        wcSettings: {
          getSetting: (name: string, other: unknown) =>
            name === "svc_gateway_data" ? data : other,
        },
      },
      wp: {
        element: { createElement: (...parts: unknown[]) => parts },
        htmlEntities: { decodeEntities: (text: string) => text.replaceAll("&amp;", "&") },
      },
    };
    runInNewContext(readFileSync(new URL("assets/blockCheckout.js", plugin), "utf8"), { window });
    expect(found).toHaveLength(1);
    return found[0] ?? {};
  }

  it("registers the method with title and description as texts", () => {
    const method = registered({
      title: "Coins &amp; more",
      description: "<b>Pay</b>",
      supports: ["products"],
    });
    expect(method).toMatchObject({
      name: "svc_gateway",
      label: ["span", null, "Coins & more"],
      ariaLabel: "Coins & more",
      content: ["p", null, "<b>Pay</b>"],
      edit: ["p", null, "<b>Pay</b>"],
      supports: { features: ["products"] },
    });
    expect((method["canMakePayment"] as () => boolean)()).toBe(true);
  });

  it("takes a shop that gives it nothing", () => {
    expect(registered({})).toMatchObject({ ariaLabel: "", supports: { features: [] } });
  });
});
