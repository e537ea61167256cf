/** Attacks on the initial sync: recorded answers with one field altered, and the fields that a peer may fill as it likes. */
import { equalBytes } from "@svc/shared/base/bytes.ts";
import {
  writeEnvelope,
  type P2pName,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { SeededRandom } from "../../testkit/seededRandom.ts";
import { alterMessage, fieldsOf, nameOf } from "./alterMessage.ts";
import { drawnPart } from "../../testkit/drawnCases.ts";
import type { Recording } from "./recordedPeer.ts";

/** An answer, and fields of it. */
export type Field = readonly [name: P2pName, field: RegExp];

/** One answer with one field altered. */
export type Lie = {
  readonly name: P2pName;
  readonly isField: (path: string) => boolean;
  /** The answer that is altered; without it the first of that name which has the field. */
  readonly answer?: Uint8Array;
};

/**
 * Answers, by the stage in which they come, and fields of them that nothing may change. A block that is far ahead and whose
 * header comes first is not among them: it is a claim, and the proof decides. Of bytes the first one is changed: anchors
 * from before the security fork, in the middle of the state, are committed to by nothing.
 */
const PROVED_BY_STAGE: readonly (readonly Field[])[] = [
  [
    ["block", /nonce|timestamp|Root/],
    ["pruningPointProof", /nonce|timestamp|Root/],
  ],
  [
    ["pruningPoints", /\[[1]\]\.(nonce|timestamp|hashMerkleRoot)/],
    ["trustedData", /nonce|timestamp|Root|blueScore|blueWork/],
    ["blockWithTrustedDataV4", /nonce|timestamp|Root|payload/],
  ],
  [
    ["blockHeaders", /nonce|timestamp|Root|bits/],
    ["ibdBlock", /payload|nonce|timestamp/],
  ],
  [
    ["smtMetadata", /data/],
    ["smtLaneChunk", /data|blueScore/],
    ["shieldedMetadata", /data/],
  ],
];
const PROVED: readonly Field[] = PROVED_BY_STAGE.flat();
/** What comes when the state is proved. */
const BODY: Field = ["blockBody", /payload/];

/** Fields that a peer may fill as it likes: nothing binds them, and nothing of a fresh node depends on them. */
export const UNBOUND: readonly Field[] = [
  // Hashes below the tip only tell where both chains part. A fresh node knows none of them, and its point is the proof's.
  ["ibdChainBlockLocator", /^\.hashes\[[1-9]/],
  // Of a block that is announced far ahead the header alone is looked at; its body comes again as one of the bodies.
  ["block", /^\.transactions/],
  // It repeats what the window has, and is not read.
  ["trustedData", /^\.ghostdagData/],
  // Further below the point than `k` blocks they are not computed again: no later block is judged by them.
  ["trustedData", /^\.daaWindow\[1\d{3}\]\.ghostdagData\.bluesAnticoneSizes/],
  // The root of the lanes is computed from all of them.
  ["smtLaneChunk", /proof/],
];

/** What the peer says to be its newest block. */
const SINK: Lie = lieAbout(["ibdChainBlockLocator", /^\.hashes\[0\]/]);

/** One random lie of each stage, in the order of the stages; the last one is about a body. */
export function oneLieOfEachStage(random: SeededRandom): readonly Lie[] {
  const drawn = PROVED_BY_STAGE.flatMap((stage) => drawnPart(random, stage, 1));
  return [SINK, ...drawn.map(lieAbout), lieAbout(BODY)];
}

/** About every field of every kind, every page of headers, every pruning point, and some of the bodies, which come last. */
export function allLies(recording: Recording): readonly Lie[] {
  const names = PROVED.map(([name]) => name);
  return [
    SINK,
    ...names.flatMap((name) => everyField(recording, name)),
    ...everyPoint(recording),
    ...everyPage(recording),
    ...everyField(recording, BODY[0]),
    ...someBodies(recording),
  ];
}

/** Tells one lie once, and says which field it altered; null as long as none was. */
export class Liar {
  readonly #lie: Lie;
  readonly #random: SeededRandom;
  told: string | null = null;

  constructor(lie: Lie, random: SeededRandom) {
    this.#lie = lie;
    this.#random = random;
  }

  readonly tamper = (bytes: Uint8Array): Uint8Array => {
    const { name, answer, isField } = this.#lie;
    if (this.told !== null || nameOf(bytes) !== name) return bytes;
    if (answer !== undefined && !equalBytes(bytes, answer)) return bytes;
    const altered = alterMessage(bytes, this.#random, isField, "first");
    this.told = altered?.path ?? null;
    return altered?.bytes ?? bytes;
  };
}

function lieAbout([name, field]: Field): Lie {
  return { name, isField: (path) => field.test(path) };
}

function encodedAnswers(recording: Recording, name: P2pName): Uint8Array[] {
  const encode = (payload: P2pPayload): Uint8Array =>
    writeEnvelope({ payload, responseId: 0, requestId: 0 });
  return recording.named(name).map(encode);
}

/** All fields of the first answer, those in lists once. */
function everyField(recording: Recording, name: P2pName): Lie[] {
  const [first] = encodedAnswers(recording, name);
  if (first === undefined) throw new Error(`no ${name} is recorded`);
  const paths = fieldsOf(first);
  const isUnbound = (path: string): boolean =>
    UNBOUND.some(([of, field]) => of === name && field.test(path));
  const unbound = new Set(paths.filter(isUnbound).map(shapeOf));
  const shapes = [...new Set(paths.map(shapeOf))].filter((shape) => !unbound.has(shape));
  return shapes.map((shape) => ({ name, isField: (path) => shapeOf(path) === shape }));
}

/** A path without the numbers in lists. */
function shapeOf(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "[]");
}

function everyPoint(recording: Recording): Lie[] {
  const name = "pruningPoints";
  const answers = encodedAnswers(recording, name);
  return answers.flatMap((answer) =>
    entriesOf(answer).map((entry) => ({ name, answer, isField: (path) => path.startsWith(entry) })),
  );
}

/** The last header of all is the newest block: without it headers end elsewhere. */
function everyPage(recording: Recording): Lie[] {
  const name = "blockHeaders";
  const pages = encodedAnswers(recording, name);
  const last = pages.at(-1);
  const sink = last && entriesOf(last).at(-1);
  if (last === undefined || sink === undefined) throw new Error("no headers are recorded");
  const isField = (path: string): boolean => !path.startsWith(sink);
  return [
    ...pages.map((answer): Lie =>
      answer === last ? { name, answer, isField } : anyOf(name, answer),
    ),
    { name, answer: last, isField: (path) => path.startsWith(`${sink}nonce`) },
  ];
}

function someBodies(recording: Recording): Lie[] {
  const bodies = encodedAnswers(recording, BODY[0]);
  const some = [bodies[0], bodies[bodies.length >> 1], bodies.at(-1)];
  return some.flatMap((answer) => (answer === undefined ? [] : [anyOf(BODY[0], answer)]));
}

function anyOf(name: P2pName, answer: Uint8Array): Lie {
  return { name, answer, isField: () => true };
}

/** How the paths of each header in a list begin. */
function entriesOf(headers: Uint8Array): string[] {
  const entries = fieldsOf(headers).map((path) => /^\.blockHeaders\[\d+\]\./.exec(path)?.[0] ?? "");
  return [...new Set(entries)];
}
