import { describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { networksWithoutWork } from "./networksWithoutWork.ts";

const core = await loadCoreFile();

describe("a release", () => {
  it("may not go out for a network whose work it does not know", () => {
    expect(networksWithoutWork(core, ["simnet", "mainnet"], new Map())).toEqual(["mainnet"]);
  });

  it("may with a checkpoint of that very network", () => {
    const row = { bits: 0x1d00ffff, timestamp: asTimestampMs(5n) };
    const known = new Map([[core.profileDigest(core.builtInProfile("mainnet")), row]]);
    expect(networksWithoutWork(core, ["mainnet"], known)).toEqual([]);
    expect(networksWithoutWork(core, ["devnet"], known)).toEqual(["devnet"]);
  });
});
