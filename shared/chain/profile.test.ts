import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dialPort, networkId, readProfile } from "./profile.ts";

const folder = new URL("../../wasm-core/profiles/", import.meta.url);
const builtIn = readdirSync(folder).filter((name) => name !== "defaults.json");
const textOf = (name: string) => readFileSync(new URL(name, folder), "utf8");

describe("a network profile", () => {
  it("is read from every built-in file", () => {
    expect(builtIn.length).toBeGreaterThan(3);
    for (const name of builtIn) {
      const profile = readProfile(textOf(name));
      expect(networkId(profile)).toBe(name.replace(/\.json$/, ""));
      expect(profile.emission.preDeflationarySubsidySompi).toBeGreaterThan(0n);
    }
  });

  it("says which port is dialled where none is named", () => {
    expect(dialPort(readProfile(textOf("mainnet.json")))).toBe(16_111);
    expect(dialPort(readProfile(textOf("testnet-10.json")))).toBe(16_821);
  });

  it("is refused when a number or a hash is not one", () => {
    const text = textOf(builtIn[0] ?? "");
    for (const broken of [
      "{",
      "{}",
      text.replace(/"ghostdagK": \d+/, '"ghostdagK": -1'),
      text.replace(/"hash": "..../, '"hash": "zz'),
    ]) {
      expect(() => readProfile(broken)).toThrow("profile/invalid");
    }
  });
});
