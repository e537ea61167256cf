/** Text form of a seed for its backup on paper: eight groups of eight hexadecimal digits, and a ninth group of check digits. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { seedCheck } from "@svc/shared/wallet/state/seedText.ts";

const GROUP_BYTES = 4;
/** Digits of a group. */
export const GROUP_DIGITS = GROUP_BYTES * 2;

/** The groups of a seed, the check digits last. */
export function seedGroups(seed: Uint8Array): readonly string[] {
  const groups: string[] = [];
  for (let from = 0; from < seed.length; from += GROUP_BYTES) {
    groups.push(encodeHex(seed.subarray(from, from + GROUP_BYTES)));
  }
  return [...groups, seedCheck(seed)];
}

/** Different group numbers to ask for, from the system's randomness, ascending. */
export function pickGroups(groups: number, asked: number): readonly number[] {
  const left = Array.from({ length: groups }, (_, index) => index);
  const picked: number[] = [];
  while (picked.length < asked && left.length > 0) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    picked.push(...left.splice(random % left.length, 1));
  }
  return picked.toSorted((a, b) => a - b);
}

/** Whether the typed groups are those of the seed; case and blanks do not matter. */
export function groupsMatch(
  seed: Uint8Array,
  asked: readonly number[],
  typed: readonly string[],
): boolean {
  const groups = seedGroups(seed);
  return asked.every((group, index) => {
    const text = typed[index]?.replaceAll(/\s/g, "").toLowerCase();
    return text === groups[group];
  });
}
