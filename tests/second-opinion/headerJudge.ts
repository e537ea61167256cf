/** Work of one header of evidence (specification consensus 18.3). */
import { sameBytes } from "./domains.ts";
import { blockId, prePowHash, type Header, type ToldHeader } from "./headerForm.ts";
import { levelOf, powValue, targetOf } from "./heavyHash.ts";
import type { Network } from "./network.ts";
import { Refusal } from "./refusal.ts";
import { isBareWitness, witnessWork } from "./witnessForm.ts";

/** A header whose work holds. */
export type JudgedHeader = {
  readonly id: Uint8Array;
  readonly header: Header;
  readonly level: number;
  /** Id of the header that the work was done on, as hex. */
  readonly solution: string;
};

/** The network, and the easiest target that counts; the network's own for null. */
export type Judging = { readonly network: Network; readonly floor: bigint | null };

/** Judges a header. Throws `evidence/too-easy`, `header/invalid-pow`, `codec/not-canonical`. */
export function judgeHeader({ network, floor }: Judging, told: ToldHeader): JudgedHeader {
  const { header, witness } = told;
  const id = blockId(header);
  if (witness === null && sameBytes(id, network.genesis)) {
    return { id, header, level: network.maxBlockLevel, solution: hexOf(id) };
  }
  const target = targetOf(header.bits);
  if (target > (floor ?? targetOf(network.easiestBits))) throw new Refusal("evidence/too-easy");
  const own = powValue(prePowHash(header), header.timestamp, header.nonce);
  if (own <= target || !network.asksForWork) {
    if (witness !== null) throw new Refusal("codec/not-canonical", "a needless witness");
    return { id, header, level: levelOf(own, network.maxBlockLevel), solution: hexOf(id) };
  }
  const solved = witness === null ? null : witnessWork(header, witness, network);
  if (witness === null || solved === null) throw new Refusal("header/invalid-pow");
  if (!isBareWitness(witness)) throw new Refusal("codec/not-canonical", "a witness");
  const level = levelOf(solved.value, network.maxBlockLevel);
  return { id, header, level, solution: hexOf(solved.id) };
}

function hexOf(id: Uint8Array): string {
  return Buffer.from(id).toString("hex");
}
