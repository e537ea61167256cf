/** The core's judge of evidence: one call a question, nothing of the core's memory stays behind. */
import { encodeHex } from "../base/hex.ts";
import { SvcError } from "../base/svcError.ts";
import { readProfile } from "../chain/profile.ts";
import { callCore } from "../core/callCore.ts";
import type {
  CoreGlue,
  RawEvidenceJudge,
  RawProvedState,
  RawProvedTip,
} from "../core/generated/coreGlue.ts";
import {
  readMemberFacts,
  readStateFacts,
  readWorkFacts,
  type MemberFacts,
  type StateFacts,
  type WorkFacts,
} from "../protocol/facts/evidenceFacts.ts";
import type { MemberEvidence, TipEvidence } from "./evidencePort.ts";
import { requireWork } from "./requireWork.ts";

/** The easiest work that counts: bits of a header that was proved before, and how often work may have halved since. */
export type WorkFloor = {
  readonly bits: number;
  readonly halvings: number;
};

/** A state that was proved. */
export type ProvedStateFacts = {
  readonly state: StateFacts;
  /** The product of all nullifiers as hex, where the opening had it. */
  readonly product: string | null;
};

/** A state that was proved, and the work above it. */
export type ProvedTipFacts = ProvedStateFacts & { readonly work: WorkFacts };

/** A tip, and the state of an older block of its chain. */
export type ProvedOlderFacts = {
  readonly tip: ProvedTipFacts;
  readonly older: ProvedStateFacts;
};

/** A tip, and a block of its chain by its place in the anchor log. */
export type ProvedMemberFacts = {
  readonly tip: ProvedTipFacts;
  readonly member: MemberFacts;
};

/** Judges evidence of one network; a floor of null is the network's own. Each call throws as the core's `EvidenceJudge` does. */
export interface EvidenceJudge {
  /** The tip that the evidence shows. Where the network asks for work, throws `evidence/too-few-headers` for a run without any. */
  tip(floor: WorkFloor | null, evidence: TipEvidence): ProvedTipFacts;
  /** The state that one header commits to: its own work holds, and nothing is asked to stand above it. */
  opened(floor: WorkFloor | null, evidence: TipEvidence): ProvedTipFacts;
  /** The state after an older block, whose child stands in the log of a tip. Throws as `tip` does. */
  older(floor: WorkFloor | null, evidence: TipEvidence, older: MemberEvidence): ProvedOlderFacts;
  /** What each of these paths shows in the log of a tip: an entry, or why it shows none. Throws as `tip` does for the tip itself. */
  members(
    floor: WorkFloor | null,
    evidence: TipEvidence,
    paths: readonly Uint8Array[],
  ): readonly (MemberFacts | SvcError)[];
}

/** The judge of the core. */
export class CoreJudge implements EvidenceJudge {
  readonly #core: Pick<CoreGlue, "EvidenceJudge">;
  readonly #profileJson: string;
  readonly #asksForWork: boolean;

  constructor(core: Pick<CoreGlue, "EvidenceJudge">, profileJson: string) {
    this.#core = core;
    this.#profileJson = profileJson;
    this.#asksForWork = !readProfile(profileJson).skipProofOfWork;
  }

  tip(floor: WorkFloor | null, evidence: TipEvidence): ProvedTipFacts {
    return requireWork(this.opened(floor, evidence), this.#asksForWork);
  }

  opened(floor: WorkFloor | null, { opening, run }: TipEvidence): ProvedTipFacts {
    return this.#with(floor, (judge) =>
      withFreed(
        callCore(() => judge.tip(opening, run)),
        tipFacts,
      ),
    );
  }

  older(floor: WorkFloor | null, { opening, run }: TipEvidence, older: MemberEvidence) {
    return this.#with(floor, (judge) =>
      withFreed(
        callCore(() => judge.tip(opening, run)),
        (tip) => ({
          tip: requireWork(tipFacts(tip), this.#asksForWork),
          older: withFreed(
            callCore(() => judge.older(tip, older.membership, older.opening)),
            stateFacts,
          ),
        }),
      ),
    );
  }

  members(floor: WorkFloor | null, { opening, run }: TipEvidence, paths: readonly Uint8Array[]) {
    return this.#with(floor, (judge) =>
      withFreed(
        callCore(() => judge.tip(opening, run)),
        (tip) => {
          requireWork(tipFacts(tip), this.#asksForWork);
          return paths.map((path) => orFault(() => memberFacts(judge, tip, path)));
        },
      ),
    );
  }

  /** A block in the log of a state that one header commits to; the work above that may be none. */
  member(
    floor: WorkFloor | null,
    { opening, run }: TipEvidence,
    membership: Uint8Array,
  ): ProvedMemberFacts {
    return this.#with(floor, (judge) =>
      withFreed(
        callCore(() => judge.tip(opening, run)),
        (tip) => ({
          tip: tipFacts(tip),
          member: memberFacts(judge, tip, membership),
        }),
      ),
    );
  }

  #with<T>(floor: WorkFloor | null, use: (judge: RawEvidenceJudge) => T): T {
    const make = () =>
      new this.#core.EvidenceJudge(this.#profileJson, floor?.bits, floor?.halvings ?? 0);
    return withFreed(callCore(make), use);
  }
}

function memberFacts(judge: RawEvidenceJudge, tip: RawProvedTip, path: Uint8Array): MemberFacts {
  return readMemberFacts(callCore(() => judge.member(tip, path)));
}

/** What it makes, or the fault of the bytes. Throws what is no fault of theirs. */
function orFault<T>(make: () => T): T | SvcError {
  try {
    return make();
  } catch (error) {
    const fault = SvcError.from(error);
    if (/^(codec|evidence)\//.test(fault.code)) return fault;
    throw fault;
  }
}

function tipFacts(tip: RawProvedTip): ProvedTipFacts {
  const work = readWorkFacts(callCore(() => tip.work()));
  return {
    ...withFreed(
      callCore(() => tip.state()),
      stateFacts,
    ),
    work,
  };
}

function stateFacts(state: RawProvedState): ProvedStateFacts {
  const product = callCore(() => state.nullifierProduct());
  return {
    state: readStateFacts(callCore(() => state.facts())),
    product: product === undefined ? null : encodeHex(product),
  };
}

function withFreed<T extends { free(): void }, R>(object: T, use: (object: T) => R): R {
  try {
    return use(object);
  } finally {
    object.free();
  }
}
