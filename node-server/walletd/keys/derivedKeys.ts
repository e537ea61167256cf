/** Keys derived from the wallet secret by Argon2id. One is kept for each salt, so a folder of thousands of files costs one derivation. */
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** Cost of a derivation; its lanes are always one. */
export type KdfCost = { readonly memoryKib: number; readonly passes: number };

/** Bytes of a salt. */
export const SALT_BYTES = 16;

/** The cost of new files, and that of the reference's files, which do not name theirs. */
export const STANDARD_COST: KdfCost = {
  memoryKib: WALLETD_LIMITS.secretKdfMemoryKib,
  passes: WALLETD_LIMITS.secretKdfPasses,
};

/** Form of the derivation's parameters in a file, bounded: a foreign file can make it neither weak nor endless. */
export const kdfForm = v.strictObject({
  algorithm: v.literal("argon2id"),
  memoryKib: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(WALLETD_LIMITS.secretKdfMemoryMinKib),
    v.maxValue(WALLETD_LIMITS.secretKdfMemoryMaxKib),
  ),
  passes: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(WALLETD_LIMITS.secretKdfPasses),
    v.maxValue(WALLETD_LIMITS.secretKdfPassesMax),
  ),
  salt: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

/** Parameters of a derivation, as they stand in the header of a file. */
export type Kdf = v.InferOutput<typeof kdfForm>;

/** Parameters with a salt, or with a fresh one. */
export function kdfOf(cost: KdfCost, salt: Uint8Array = randomBytes(SALT_BYTES)): Kdf {
  const { memoryKib, passes } = cost;
  return { algorithm: "argon2id", memoryKib, passes, salt: encodeHex(salt) };
}

/** The keys of one secret. */
export class DerivedKeys {
  readonly #core: Pick<CoreGlue, "argon2id">;
  readonly #secret: Secret;
  /** By parameters; the one used last comes last. */
  readonly #keys = new Map<string, Secret>();

  /** Takes ownership of the secret. */
  constructor(core: Pick<CoreGlue, "argon2id">, secret: Secret) {
    this.#core = core;
    this.#secret = secret;
  }

  /**
   * The key for these parameters, some 50 ms when it is not kept. It is lent: the caller uses it at once, and neither keeps
   * nor erases it. Throws `engine/bad-call` when the core has no room, `internal/erased-secret` after `erase`.
   */
  keyOf(kdf: Kdf): Secret {
    const name = JSON.stringify([kdf.memoryKib, kdf.passes, kdf.salt]);
    const key = this.#keys.get(name) ?? this.#derive(kdf);
    this.#keys.delete(name);
    this.#keys.set(name, key);
    for (const [oldest, dropped] of this.#keys) {
      if (this.#keys.size <= WALLETD_LIMITS.secretKeysKept) break;
      dropped.erase();
      this.#keys.delete(oldest);
    }
    return key;
  }

  /** Overwrites the secret and all keys. Harmless when repeated. */
  erase(): void {
    this.#secret.erase();
    for (const key of this.#keys.values()) key.erase();
    this.#keys.clear();
  }

  /** `using keys = …` erases at the end of the block. */
  [Symbol.dispose](): void {
    this.erase();
  }

  #derive({ memoryKib, passes, salt }: Kdf): Secret {
    const key = this.#secret.reveal((bytes) =>
      callCore(() => this.#core.argon2id(bytes, decodeHex(salt), memoryKib, passes)),
    );
    return new Secret(key);
  }
}
