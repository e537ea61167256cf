/** Tests of the choice of the address that a node advertises. */
import { isIP } from "node:net";
import { describe, expect, it } from "vitest";
import { chooseOwnAddress, machineAddresses, type OwnAddressFacts } from "./ownAddress.ts";

const at = (ip: string, port = 16_811) => ({ ip, port });
const none: OwnAddressFacts = { stated: null, listening: null, machine: [], mapped: null };

describe("the node's own address", () => {
  it("is the operator's word first of all", () => {
    const stated = at("10.0.0.1", 5);
    const facts = { ...none, stated, listening: at("8.8.8.8"), machine: ["9.9.9.9"] };
    expect(chooseOwnAddress(facts)).toEqual(stated);
    expect(chooseOwnAddress({ ...none, stated })).toEqual(stated);
  });

  it("is where it listens, if all can reach it, else what the gateway passes on", () => {
    const mapped = at("7.7.7.7", 9);
    expect(chooseOwnAddress({ ...none, listening: at("8.8.8.8"), mapped })).toEqual(at("8.8.8.8"));
    expect(chooseOwnAddress({ ...none, listening: at("192.168.0.1"), mapped })).toEqual(mapped);
    expect(
      chooseOwnAddress({ ...none, listening: at("127.0.0.1"), machine: ["8.8.8.8"] }),
    ).toBeNull();
  });

  it("is one of the machine's when it listens on all of them", () => {
    const machine = ["127.0.0.1", "fe80::1", "2a00:1450::1", "10.0.0.1", "8.8.4.4"];
    const mapped = at("7.7.7.7", 9);
    const chosen = (ip: string, addresses = machine) =>
      chooseOwnAddress({ ...none, listening: at(ip), machine: addresses, mapped });
    expect(chosen("0.0.0.0")).toEqual(at("8.8.4.4"));
    expect(chosen("::")).toEqual(at("2a00:1450::1"));
    expect(chosen("0.0.0.0", ["10.0.0.1"])).toEqual(mapped);
  });

  it("is none when nobody listens", () => {
    expect(chooseOwnAddress({ ...none, machine: ["8.8.8.8"], mapped: at("7.7.7.7") })).toBeNull();
  });

  it("is looked for among addresses", () => {
    for (const ip of machineAddresses()) expect(isIP(ip), ip).not.toBe(0);
  });
});
