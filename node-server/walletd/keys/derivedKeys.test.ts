import * as v from "valibot";
import { expect, test } from "vitest";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { DerivedKeys, kdfForm, kdfOf, STANDARD_COST } from "./derivedKeys.ts";
import { bytesOf, cheapCore, secretOf } from "./testkit/keysScene.ts";

test("one key is derived for all files of a salt, and few are kept", () => {
  const core = cheapCore();
  const keys = new DerivedKeys(core, secretOf("secret"));
  const shared = kdfOf(STANDARD_COST);
  const first = bytesOf(keys.keyOf(shared));
  for (let file = 0; file < 1_000; file += 1) keys.keyOf({ ...shared });
  expect(core.derivations).toBe(1);
  for (let file = 0; file < WALLETD_LIMITS.secretKeysKept * 4; file += 1) {
    keys.keyOf(kdfOf(STANDARD_COST));
    keys.keyOf(shared);
  }
  expect(core.derivations).toBe(1 + WALLETD_LIMITS.secretKeysKept * 4);
  const dropped = keys.keyOf(kdfOf(STANDARD_COST));
  for (let file = 0; file < WALLETD_LIMITS.secretKeysKept; file += 1) {
    keys.keyOf(kdfOf(STANDARD_COST));
  }
  expect(dropped.erased).toBe(true);
  expect(bytesOf(keys.keyOf(shared))).toEqual(first);
});

test("parameters are part of what a key is kept by", () => {
  const keys = new DerivedKeys(cheapCore(), secretOf("secret"));
  const kdf = kdfOf(STANDARD_COST);
  const other = { ...kdf, passes: 3 };
  expect(bytesOf(keys.keyOf(kdf))).not.toEqual(bytesOf(keys.keyOf(other)));
});

test("erasing takes the secret and every key", () => {
  const keys = new DerivedKeys(cheapCore(), secretOf("secret"));
  const key = keys.keyOf(kdfOf(STANDARD_COST));
  keys.erase();
  keys.erase();
  expect(key.erased).toBe(true);
  expect(() => keys.keyOf(kdfOf(STANDARD_COST))).toThrow("internal/erased-secret");
});

test("parameters that cost nothing or gigabytes are read from no file", () => {
  const kdf = kdfOf(STANDARD_COST);
  expect(v.is(kdfForm, kdf)).toBe(true);
  const { secretKdfMemoryMaxKib: memory, secretKdfPassesMax: passes } = WALLETD_LIMITS;
  expect(v.is(kdfForm, { ...kdf, memoryKib: memory, passes })).toBe(true);
  for (const bad of [
    { memoryKib: memory + 1 },
    { memoryKib: 8 },
    { memoryKib: 2 ** 32 },
    { memoryKib: 19_456.5 },
    { memoryKib: Number.NaN },
    { passes: passes + 1 },
    { passes: 1 },
    { passes: 1e9 },
    { algorithm: "argon2d" },
    { salt: "00" },
    { lanes: 4 },
  ]) {
    expect(v.is(kdfForm, { ...kdf, ...bad }), JSON.stringify(bad)).toBe(false);
  }
});
