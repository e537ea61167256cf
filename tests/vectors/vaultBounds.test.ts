/** The bounds of a vault's key derivation are those of the core that computes it: none is wider than the other. */
import { expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";

const core = await loadCoreFile();
const passphrase = () => new TextEncoder().encode("four unrelated words here");
const salt = new Uint8Array(16).fill(7);

test("the costliest vault record that is read can be opened, and the core takes nothing beyond it", () => {
  const { vaultKdfMemoryMaxKib: memory, vaultKdfPassesMax: passes } = PAGE_LIMITS;
  expect(core.argon2id(passphrase(), salt, memory, 1)).toHaveLength(32);
  expect(core.argon2id(passphrase(), salt, 64, passes)).toHaveLength(32);
  expect(() => core.argon2id(passphrase(), salt, memory + 1, 1)).toThrow("too large");
  expect(() => core.argon2id(passphrase(), salt, 64, passes + 1)).toThrow("too large");
});
