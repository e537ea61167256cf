/** Receipts by the core: makes them, checks them alone and under a proved tip; nothing of the core's memory stays behind. */
import {
  asBlockHash,
  parseHash32,
  type BlockHash,
  type RawAddress,
  type Sompi,
} from "../base/brand.ts";
import { encodeHex } from "../base/hex.ts";
import { readProfile } from "../chain/profile.ts";
import { callCore } from "../core/callCore.ts";
import type { CoreGlue, RawEvidenceJudge, RawProvedTip } from "../core/generated/coreGlue.ts";
import { readWorkFacts } from "../protocol/facts/evidenceFacts.ts";
import {
  readHardestHeader,
  readReceiptFacts,
  type HardestHeader,
  type ReceiptFacts,
} from "../protocol/facts/receiptFacts.ts";
import type { TipEvidence } from "./evidencePort.ts";
import { requireWork } from "./requireWork.ts";

/** What makes a note, and its place among the leaves. Payer and payee both know it. */
export type ReceiptNote = {
  readonly recipient: RawAddress;
  readonly value: Sompi;
  /** Nullifier of the action that made the note, or what a minted note has in its place. */
  readonly rho: string;
  readonly rseed: string;
  readonly position: number;
};

/** What only the payer can show: the payment, the action that paid, and if he likes what that action spent. */
export type ReceiptDisclosure = {
  readonly transaction: Uint8Array;
  readonly index: number;
  readonly spent?: { readonly value: Sompi; readonly rcv: string };
};

/** For whom a receipt is made; `answer` is the payee's, 64 bytes (`CoreReceipts.answer`). */
export type ReceiptChallenge = { readonly text: string; readonly answer?: Uint8Array };

/** Everything that a receipt is made of. */
export type ReceiptParts = {
  readonly note: ReceiptNote;
  /** 32 siblings of the note in the tree after its block. */
  readonly path: Uint8Array;
  /** The state that the receipt's header commits to. */
  readonly opening: Uint8Array;
  /** The block in the log of that state; left out where the state is the block's. */
  readonly membership?: Uint8Array;
  /** A run whose base is the block, for its time. */
  readonly run?: Uint8Array;
  readonly disclosure?: ReceiptDisclosure;
  readonly challenge?: ReceiptChallenge;
};

/** What is asked of a receipt that is checked. */
export type ReceiptQuestion = {
  /** The text that the asker gave. */
  readonly challenge?: string;
  /** Compact bits of a difficulty that is known: the work is told in blocks of it. Left out, it is told in hashes alone. */
  readonly bits?: number;
  /** The easiest headers above a tip that count; left out, the easiest that the network takes. */
  readonly floor?: EasiestHeader;
};

/** Compact bits, and how often work may have halved below them. */
export type EasiestHeader = { readonly bits: number; readonly halvings: number };

/** A tip, and the path of a receipt's header in its log. */
export type ReceiptAnchor = { readonly tip: TipEvidence; readonly membership: Uint8Array };

/** Receipts of one network. All calls throw as the core's `EvidenceJudge` does. */
export class CoreReceipts {
  readonly #core: Pick<CoreGlue, "EvidenceJudge" | "receiptHeader">;
  readonly #profileJson: string;
  readonly #asksForWork: boolean;

  constructor(core: Pick<CoreGlue, "EvidenceJudge" | "receiptHeader">, profileJson: string) {
    this.#core = core;
    this.#profileJson = profileJson;
    this.#asksForWork = !readProfile(profileJson).skipProofOfWork;
  }

  /** What a receipt shows by the work of its own header. */
  check(receipt: Uint8Array, { challenge, bits }: ReceiptQuestion = {}): ReceiptFacts {
    return this.#with((judge) =>
      readReceiptFacts(callCore(() => judge.receipt(receipt, challenge, bits))),
    );
  }

  /** What a receipt shows when its header stands on the chain of a tip. */
  checkInChain(
    receipt: Uint8Array,
    { tip: { opening, run }, membership }: ReceiptAnchor,
    { challenge, bits, floor }: ReceiptQuestion = {},
  ): ReceiptFacts {
    const proved = this.#tip(opening, run, floor);
    try {
      return this.#with((judge) => {
        const told = () => judge.receiptInChain(receipt, proved, membership, challenge, bits);
        return readReceiptFacts(callCore(told));
      });
    } finally {
      proved.free();
    }
  }

  /** The block that a receipt stands on, by its own word: membership of this one anchors it. */
  headerOf(receipt: Uint8Array): BlockHash {
    return asBlockHash(parseHash32(callCore(() => this.#core.receiptHeader(receipt))));
  }

  /** The header of a run that a receipt about its base, or about a block below it, stands on best. */
  hardestHeader(run: Uint8Array): HardestHeader {
    return this.#with((judge) => readHardestHeader(callCore(() => judge.hardestHeader(run))));
  }

  /** Makes a receipt, and checks it. */
  make({ note, path, opening, membership, run, disclosure, challenge }: ReceiptParts): Uint8Array {
    const parts = JSON.stringify({
      note: noteJson(note),
      ...(disclosure && { disclosure: disclosureJson(disclosure) }),
      ...(challenge && { challenge: challengeJson(challenge) }),
    });
    return this.#with((judge) =>
      callCore(() => judge.makeReceipt(parts, path, opening, membership, run)),
    );
  }

  /** The payee's answer to a challenge, by the full viewing key of the note's owner. */
  answer(viewingKey: Uint8Array, note: ReceiptNote, text: string): Uint8Array {
    const json = JSON.stringify(noteJson(note));
    return this.#with((judge) => callCore(() => judge.answerChallenge(viewingKey, json, text)));
  }

  /** The tip, whose headers must not be much easier than a difficulty that is known. */
  #tip(opening: Uint8Array, run: Uint8Array, floor: EasiestHeader | undefined): RawProvedTip {
    const proved = this.#with((judge) => callCore(() => judge.tip(opening, run)), floor);
    try {
      const work = readWorkFacts(callCore(() => proved.work()));
      requireWork({ work }, this.#asksForWork);
      return proved;
    } catch (error) {
      proved.free();
      throw error;
    }
  }

  /** Receipts outlive releases: unless a floor is named, what the network asks for is the floor, and the work is told. */
  #with<T>(use: (judge: RawEvidenceJudge) => T, floor?: EasiestHeader): T {
    const make = () =>
      new this.#core.EvidenceJudge(this.#profileJson, floor?.bits, floor?.halvings ?? 0);
    const judge = callCore(make);
    try {
      return use(judge);
    } finally {
      judge.free();
    }
  }
}

function noteJson({ recipient, value, rho, rseed, position }: ReceiptNote) {
  return { recipient, value: String(value), rho, rseed, position };
}

function disclosureJson({ transaction, index, spent }: ReceiptDisclosure) {
  const shown = spent && { spent: { value: String(spent.value), rcv: spent.rcv } };
  return { transaction: encodeHex(transaction), index, ...shown };
}

function challengeJson({ text, answer }: ReceiptChallenge) {
  return { text, ...(answer && { answer: encodeHex(answer) }) };
}
