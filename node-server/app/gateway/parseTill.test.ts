import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { parseGateway } from "./parseGateway.ts";

function parsed(...args: readonly string[]): unknown {
  try {
    return parseGateway(["pos", ...args], {});
  } catch (thrown) {
    return SvcError.from(thrown).data["option"];
  }
}

const ADD = ["add", "shop", "counter"];

describe("svc gateway pos", () => {
  it("adds a till with a currency, a time zone and tips", () => {
    const options = ["--currency=EUR", "--time-zone=Europe/Berlin", "--tip=7", "--tip=12"];
    expect(parsed(...ADD, ...options)).toMatchObject({
      ...{ merchant: "shop", till: "counter", currency: "EUR", timeZone: "Europe/Berlin" },
      ...{ tips: [7, 12], passwordFile: undefined },
    });
    expect(parsed(...ADD, "--time-zone=UTC")).toMatchObject({ currency: null, tips: [5, 10, 15] });
  });

  it.each([
    ["till", ["add", "shop", "Counter/1"]],
    ["currency", [...ADD, "--currency=euro"]],
    ["time-zone", [...ADD, "--time-zone=Mars/Olympus"]],
    ["tip", [...ADD, "--tip=0"]],
    ["tip", [...ADD, "--tip=101"]],
    ["tip", [...ADD, "--tip=1.5"]],
    ["tip", [...ADD, ...["1", "2", "3", "4", "5"].map((tip) => `--tip=${tip}`)]],
    ["add", ["add", "shop"]],
    ["password", ["password"]],
  ])("refuses a wrong %s", (option, args) => {
    expect(String(parsed(...args))).toContain(option);
  });

  it("changes what a till rings up in, and leaves what is not said", () => {
    expect(parsed("set", "counter", "--currency=USD")).toMatchObject({
      ...{ command: "pos set", till: "counter", change: { currency: "USD" } },
    });
    const options = ["--currency=coins", "--time-zone=UTC", "--tip=7"];
    expect(parsed("set", "counter", ...options)).toMatchObject({
      change: { currency: null, timeZone: "UTC", tips: [7] },
    });
    expect(String(parsed("set", "counter"))).toContain("currency");
    expect(String(parsed("set", "counter", "--currency=euro"))).toContain("currency");
  });

  it("changes and removes a till by its name alone", () => {
    expect(parsed("password", "counter", "--password-file=f")).toMatchObject({
      ...{ till: "counter", passwordFile: "f" },
    });
    expect(parsed("remove", "counter")).toMatchObject({ command: "pos remove", till: "counter" });
    expect(parsed("list", "shop", "--json")).toMatchObject({ merchant: "shop", json: true });
  });
});
