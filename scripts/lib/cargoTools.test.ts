import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { requireArchive } from "./cargoTools.ts";

it("an archive with other bytes than the pinned ones is refused before anything of it is compiled", () => {
  const bytes = new TextEncoder().encode("archive");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const tool = { name: "cargo-deny", version: "1.0.0", sha256 };
  expect(() => requireArchive(bytes, tool)).not.toThrow();
  expect(() => requireArchive(bytes.slice(1), tool)).toThrow(
    "the archive of cargo-deny 1.0.0 has SHA-256",
  );
});
