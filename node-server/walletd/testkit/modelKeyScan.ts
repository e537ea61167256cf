/** A fake scanner of many keys over a model of a chain: a key stands for one address, and finds what is paid to it. */
import { asChainIndex, asRawAddress, type RawAddress } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";
import type { KeyedFacts, ScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import type { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import type { KeyScanPort } from "../../scanning/scanThreads.ts";

/** Bytes of a viewing key, and of an address. */
const KEY_BYTES = 96;
const ADDRESS_BYTES = 43;

/** The key that stands for an address. */
export function keyOfAddress(address: RawAddress): Uint8Array {
  const key = new Uint8Array(KEY_BYTES);
  key.set(decodeHex(address));
  return key;
}

/** Answers with the model's own facts, and counts the blocks that it was asked for. */
export class ModelKeyScan implements KeyScanPort {
  readonly #model: ChainModel;
  /** Chain indexes of the blocks of each page, in order. */
  readonly scanned: bigint[] = [];

  constructor(model: ChainModel) {
    this.#model = model;
  }

  async scan(
    page: RecordPage,
    sets: readonly { readonly keys: Uint8Array }[],
  ): Promise<readonly KeyedFacts[]> {
    const from = Number(page.firstIndex);
    for (let offset = 0; offset < page.count; offset += 1) {
      this.scanned.push(asChainIndex(page.firstIndex + BigInt(offset)));
    }
    const { facts } = this.#model.page(from, from + page.count - 1);
    return sets.map(({ keys }) => keyed(facts, addressesOf(keys)));
  }
}

function addressesOf(keys: Uint8Array): readonly RawAddress[] {
  return Array.from({ length: keys.length / KEY_BYTES }, (_, key) => {
    const from = key * KEY_BYTES;
    return asRawAddress(encodeHex(keys.subarray(from, from + ADDRESS_BYTES)));
  });
}

function keyed(facts: ScanFacts, addresses: readonly RawAddress[]): KeyedFacts {
  const only = (address: RawAddress | null): ScanFacts => ({
    ...facts,
    blocks: facts.blocks.map((block) => ({
      ...block,
      notes: block.notes.filter(({ recipient }) => recipient === address),
    })),
  });
  const found = new Map<number, ScanFacts>();
  for (const [key, address] of addresses.entries()) {
    const own = only(address);
    // As the core does: of equal keys the first one reads an output.
    if (addresses.indexOf(address) !== key) continue;
    if (own.blocks.some(({ notes }) => notes.length > 0)) found.set(key, own);
  }
  return { common: only(null), found };
}
