/** A table of countries: what it finds, what it does not, and what it refuses to be made of. */
import { describe, expect, it } from "vitest";
import { CountryTable } from "./countryTable.ts";

const table = CountryTable.parse(
  [
    "8.8.8.0,8.8.8.255,US",
    "1.1.1.0,1.1.1.255,AU",
    '"9.0.0.0","9.255.255.255","DE"',
    "10.0.0.0,10.255.255.255,US",
    "5.0.0.0,5.0.0.255,ZZ",
    "2001:4860::,2001:4860:ffff:ffff:ffff:ffff:ffff:ffff,US",
    "",
  ].join("\r\n"),
);

it.each([
  ["8.8.8.8", "US"],
  ["8.8.8.255", "US"],
  ["8.8.9.0", null],
  ["8.8.7.255", null],
  ["1.1.1.1", "AU"],
  ["0.0.0.1", null],
  ["9.200.1.1", "DE"],
  ["::ffff:8.8.8.8", "US"],
  ["2001:4860:4860::8888", "US"],
  ["2001:4861::1", null],
  ["10.1.2.3", null],
  ["127.0.0.1", null],
  ["5.0.0.1", null],
  ["some.onion", null],
  ["", null],
])("%s is in %s", (ip, country) => {
  expect(table.countryOf(ip)).toBe(country);
});

it("an empty table knows nothing", () => {
  expect(CountryTable.parse("").countryOf("8.8.8.8")).toBeNull();
});

describe("a line that is none", () => {
  it.each([
    "8.8.8.0,8.8.8.255",
    "8.8.8.0,8.8.8.255,usa",
    "8.8.8.0,::1,US",
    "a,b,US",
    "8.8.8.0,8.8.8.255,US,more",
    `${"8".repeat(100)},8.8.8.255,US`,
  ])("is refused: %s", (line) => {
    expect(() => CountryTable.parse(line)).toThrow("codec/bad-csv");
  });
});
