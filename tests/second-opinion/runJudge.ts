/** Runs (specification consensus 18): their form, and the work above a base. */
import { ByteReader } from "./byteReader.ts";
import { joined, keyedBlake3, numbered, sameBytes } from "./domains.ts";
import { blueWorkBytes, directParents, readToldHeader, type ToldHeader } from "./headerForm.ts";
import { levelWork, workOf } from "./heavyHash.ts";
import { judgeHeader, type JudgedHeader, type Judging } from "./headerJudge.ts";
import { Refusal } from "./refusal.ts";

/** Link over chain blocks to the next header. */
type Step = {
  readonly activityRoot: Uint8Array;
  readonly daaStep: bigint;
  readonly blueStep: bigint;
  readonly payloadDigest: Uint8Array;
  readonly siblings: readonly Uint8Array[];
  readonly states: readonly Uint8Array[];
};
type Link = { readonly step: Step | null; readonly header: ToldHeader };
type Run = { readonly level: number; readonly base: ToldHeader; readonly links: readonly Link[] };

/** A run that holds. */
export type JudgedRun = {
  readonly base: JudgedHeader;
  readonly tip: JudgedHeader;
  /** Chain blocks above the base. */
  readonly blocks: bigint;
  readonly work: bigint;
};

const VERSION = 2;
const MAX_LINKS = 1_024;
const MAX_BLOCKS = 7_200;
const MAX_SIBLINGS = 15;
/** Least level at which blocks may be skipped. */
const LEAST_LEVEL = 1;
/** Headers that a run of a level needs. */
const LEAST_COUNTED = 200;
const ALL_SCORES = 1n << 64n;

/** Reads and judges a run. Throws a `Refusal` with the codes of 18.1 and 18.3. */
export function judgeRun(judging: Judging, bytes: Uint8Array): JudgedRun {
  const { level, base: told, links } = readRun(bytes);
  if (level > 0 && links.length < LEAST_COUNTED) throw new Refusal("evidence/too-few-headers");
  const base = judgeHeader(judging, told);
  const solutions = new Set([base.solution]);
  const works: bigint[] = [];
  let [tip, blocks, reachesLevel] = [base, 0n, false];
  for (const { step, header } of links) {
    const next = judgeHeader(judging, header);
    if (!isLinked(tip, next, step, level)) throw new Refusal("evidence/not-linked");
    const isNew = !solutions.has(next.solution);
    solutions.add(next.solution);
    if (next.level >= level) {
      reachesLevel = true;
      if (isNew) works.push(workOf(next.header.bits));
    } else if (reachesLevel || step !== null) throw new Refusal("evidence/below-level");
    blocks += BigInt(step === null ? 1 : 1 + step.states.length);
    tip = next;
  }
  if (level > 0 && works.length < LEAST_COUNTED) throw new Refusal("evidence/too-few-headers");
  return { base, tip, blocks, work: workOfAll(judging, works, tip, level) };
}

/** None counts for less than its level, nor for more than the last one or its level. */
function workOfAll(
  { network }: Judging,
  works: readonly bigint[],
  tip: JudgedHeader,
  level: number,
): bigint {
  if (!network.asksForWork) return 0n;
  const least = levelWork(level, network.maxBlockLevel);
  const last = workOf(tip.header.bits);
  const most = last > least ? last : least;
  const within = (work: bigint) => (work < least ? least : work > most ? most : work);
  return works.reduce((sum, work) => sum + within(work), 0n);
}

function isLinked(
  below: JudgedHeader,
  next: JudgedHeader,
  step: Step | null,
  level: number,
): boolean {
  const goesUp =
    next.header.blueScore > below.header.blueScore && next.header.daaScore >= below.header.daaScore;
  if (!goesUp) return false;
  if (step === null) {
    const [first] = directParents(next.header);
    return first !== undefined && sameBytes(first, below.id);
  }
  if (level < LEAST_LEVEL) return false;
  const states = [openedState(below, step), ...step.states];
  const root = states.reduce(branch, below.header.acceptedRoot);
  return sameBytes(root, next.header.acceptedRoot);
}

/** The state above a header (18.2). */
function openedState({ id, header }: JudgedHeader, step: Step): Uint8Array {
  const up = (score: bigint, by: bigint) => numbered((score + by) % ALL_SCORES, 8);
  const context = keyedBlake3(
    "SeqCommitMergesetContext",
    numbered(header.timestamp, 8),
    up(header.daaScore, step.daaStep),
    up(header.blueScore, step.blueStep),
  );
  const work = blueWorkBytes(header.blueWork);
  const leaf = keyedBlake3("SeqCommitMinerPayloadLeaf", joined(id, work, step.payloadDigest));
  const payloads = step.siblings.reduce(branch, leaf);
  return branch(step.activityRoot, branch(context, payloads));
}

function branch(left: Uint8Array, right: Uint8Array): Uint8Array {
  return keyedBlake3("SeqCommitmentMerkleBranchHash", left, right);
}

function readRun(bytes: Uint8Array): Run {
  const reader = new ByteReader(bytes);
  if (reader.u8() !== VERSION) throw new Refusal("codec/version");
  const level = reader.u8();
  const base = readToldHeader(reader);
  const count = reader.count(reader.u16(), MAX_LINKS);
  let room = MAX_BLOCKS;
  const links = Array.from({ length: count }, () => {
    const step = readStep(reader, room);
    room -= step === null ? 1 : 1 + step.states.length;
    if (room < 0) throw new Refusal("codec/count-too-large");
    return { step, header: readToldHeader(reader) };
  });
  reader.end();
  return { level, base, links };
}

function readStep(reader: ByteReader, room: number): Step | null {
  const blocks = reader.count(reader.u16(), room);
  if (blocks === 0) return null;
  if (blocks === 1) throw new Refusal("codec/not-canonical");
  return {
    activityRoot: reader.hash(),
    daaStep: BigInt(reader.u32()),
    blueStep: BigInt(reader.u32()),
    payloadDigest: reader.hash(),
    siblings: reader.hashes(MAX_SIBLINGS),
    states: Array.from({ length: blocks - 1 }, () => reader.hash()),
  };
}
