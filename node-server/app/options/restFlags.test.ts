/** The options about the public REST interface. */
import { expect, it } from "vitest";
import { parseFlags } from "./flags.ts";

const CLOSED = { isPublic: false, tokenFile: null, geoFile: null };

it("open nothing and read no file by themselves", () => {
  expect(parseFlags("node", [], {}).rest).toEqual(CLOSED);
  expect(parseFlags("local", [], {}).rest).toEqual(CLOSED);
});

it("open the interface, and name its files", () => {
  const args = ["--rest-public", "--rest-token-file=/t", "--geo", "/g"];
  const given = { isPublic: true, tokenFile: "/t", geoFile: "/g" };
  expect(parseFlags("node", args, {}).rest).toEqual(given);
  const environment = { SVC_REST_PUBLIC: "1", SVC_REST_TOKEN_FILE: "/t", SVC_GEO: "/g" };
  expect(parseFlags("local", [], environment).rest).toEqual(given);
});

it("are none of a check of the database", () => {
  expect(() => parseFlags("verify", ["--rest-public"], {})).toThrow("node/bad-option");
});
