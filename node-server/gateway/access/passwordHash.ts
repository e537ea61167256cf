/**
 * Passwords of tills at rest: scrypt (RFC 7914) with a salt of their own. The cost is stored beside each, so that it can go up later. A copy of
 * the database costs an attacker that much for each guess.
 */
import { scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** Cost of a password's hash: its memory is 128 · n · r bytes, its work p times that. */
export type PasswordCost = {
  readonly n: number;
  readonly r: number;
  readonly p: number;
};

/** A stored password: its hash beside the cost of it. */
export type PasswordHash = PasswordCost & {
  /** 16 bytes as hex. */
  readonly salt: string;
  /** 32 bytes as hex. */
  readonly hash: string;
};

/** Bytes of a salt. */
export const SALT_BYTES = 16;

const HASH_BYTES = 32;
/** The cost of every password that is hashed anew. */
const USUAL_COST: PasswordCost = { n: GATEWAY_LIMITS.passwordCost, r: 8, p: 3 };

/** Hashes a password. `salt` is `SALT_BYTES` bytes of the system's generator. */
export async function hashPassword(
  password: Secret,
  salt: Uint8Array,
  cost: PasswordCost = USUAL_COST,
): Promise<PasswordHash> {
  const hash = await derived(password, salt, cost);
  return { ...cost, salt: encodeHex(salt), hash: encodeHex(hash) };
}

/** Whether it is the password. It takes the same time whatever differs. */
export async function isPassword(password: Secret, stored: PasswordHash): Promise<boolean> {
  const hash = await derived(password, decodeHex(stored.salt), stored);
  return timingSafeEqual(hash, decodeHex(stored.hash, HASH_BYTES));
}

/** What a password is held against where there is no till of the name: it is nobody's, and costs as much. */
export function passwordOfNobody(cost: PasswordCost = USUAL_COST): PasswordHash {
  return { ...cost, salt: "00".repeat(SALT_BYTES), hash: "00".repeat(HASH_BYTES) };
}

function derived(
  password: Secret,
  salt: Uint8Array,
  { n, r, p }: PasswordCost,
): Promise<Uint8Array> {
  const options: ScryptOptions = { N: n, r, p, maxmem: 2 * 128 * n * r };
  return new Promise((resolve, reject) =>
    password.reveal((bytes) =>
      scrypt(bytes, salt, HASH_BYTES, options, (error, key) =>
        error === null ? resolve(key) : reject(error),
      ),
    ),
  );
}
