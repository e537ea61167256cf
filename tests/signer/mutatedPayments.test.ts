/**
 * Random damage to what a daemon hands over, none of which is signed: at the full size 10,000 mutations of bundle and disclosure over
 * HTTP, and again 10,000 of what an air gap carries, CBOR bytes and the frames of its codes.
 *
 * A mutation that gives the same payment again is none, and is drawn anew. The proof is covered by no signature; over HTTP the
 * second copy of the bundle shows its damage, and over an air gap it does not travel. The session stays that of the daemon: what
 * becomes of messages under a session that fits is tested in `airgapSigning.test.ts`.
 */
import { expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  decodePreparedPayment,
  encodePreparedPayment,
} from "@svc/shared/signer/airgap/preparedPaymentCbor.ts";
import { UrDecoder } from "@svc/shared/signer/airgap/urDecoder.ts";
import { UrEncoder } from "@svc/shared/signer/airgap/urEncoder.ts";
import { partFrame, readFrame, UR_TYPES } from "@svc/shared/signer/airgap/urFrame.ts";
import { readPrepareAnswer } from "@svc/shared/signer/prepareAnswer.ts";
import type { DisclosedAction } from "@svc/shared/signer/preparedPayment.ts";
import { seededRandom } from "../testkit/seededRandom.ts";
import { answerOf, type Answer } from "./daemonModel.ts";
import { payScene } from "./payScene.ts";
import { HONEST, intentOf, preparedOf } from "./signerCases.ts";

const MUTATIONS = IS_FULL ? 10_000 : 100;
const random = seededRandom("mutated payments");
const { signer, to, sighash, question } = payScene();
const intent = intentOf(HONEST);
const honest = preparedOf(HONEST);

/** Bytes that are not these: a bit, a byte, a range, a length. */
function mutate(bytes: Uint8Array): Uint8Array {
  for (;;) {
    const mutated = mutateOnce(bytes);
    if (encodeHex(mutated) !== encodeHex(bytes)) return mutated;
  }
}

function mutateOnce(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  const at = random.below(bytes.length);
  const other = random.below(bytes.length);
  const length = 1 + random.below(64);
  switch (random.below(6)) {
    case 0:
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
      return copy;
    case 1:
      copy[at] = random.below(256);
      return copy;
    case 2:
      return copy.fill(random.below(2) * 255, at, at + length);
    case 3:
      copy.set(bytes.subarray(other, Math.min(other + length, bytes.length - at + other)), at);
      return copy;
    case 4:
      return copy.subarray(0, at);
    default:
      return new Uint8Array([...copy, ...bytes.subarray(at, at + length)]);
  }
}

const HEX_FIELDS = ["outRecipient", "outRseed", "rcv"] as const;

/** A disclosure that is not this one: a field of an entry, or the entries. */
function mutateDisclosure(entries: readonly DisclosedAction[]): DisclosedAction[] {
  const copy = entries.map((entry) => ({ ...entry }));
  const entry = copy[random.below(copy.length)];
  if (entry === undefined) throw new Error("there is no entry to change");
  switch (random.below(6)) {
    case 0:
      return copy.toReversed();
    case 1:
      return random.below(2) === 0 ? copy.slice(1) : [...copy, entry];
    case 2:
      entry.spendValue = otherValue(entry.spendValue);
      return copy;
    case 3:
      entry.outValue = otherValue(entry.outValue);
      return copy;
    default: {
      const field = HEX_FIELDS[random.below(HEX_FIELDS.length)] ?? "rcv";
      const bytes = decodeHex(entry[field]);
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      Reflect.set(entry, field, encodeHex(bytes));
      return copy;
    }
  }
}

function otherValue(value: bigint): ReturnType<typeof asSompi> {
  const factor = BigInt(random.below(2)) * 2n - 1n;
  const other = value + factor * BigInt(1 + random.below(1_000_000));
  return asSompi(other < 0n ? -other : other);
}

/** The code with which a call is refused. Anything else is a defect, a signature most of all. */
function refused(what: string, call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof SvcError && error.code !== "engine/panic") return error.code;
    throw error;
  }
  throw new Error(`${what} was signed`);
}

const honestly = answerOf(honest, { to, sighash, remaining: 0n });
const overHttp = (answer: Answer) => () => {
  const { prepared, claimedSighash } = readPrepareAnswer(JSON.stringify(answer), question);
  return signer.sign({ ...intent, claimedSighash }, prepared);
};

const HTTP_WAYS: readonly ((index: number) => string)[] = [
  (index) => {
    const bundle_hex = encodeHex(mutate(decodeHex(honestly.bundle_hex)));
    return refused(`answer ${index}`, overHttp({ ...honestly, bundle_hex }));
  },
  (index) => {
    // Without the second copy; the proof is left out too, as older daemons do.
    const bundle_hex = encodeHex(mutate(honest.bundle));
    const answer = { ...honestly, bundle_hex, preparedPayment: null };
    return refused(`answer ${index}`, overHttp(answer));
  },
  (index) => {
    const disclosure = mutateDisclosure(honest.disclosure);
    const other = answerOf({ ...honest, disclosure }, { to, sighash, remaining: 0n });
    return refused(`disclosure ${index}`, overHttp(other));
  },
];

const cbor = encodePreparedPayment(honest);
const frames = new UrEncoder(UR_TYPES.payment, cbor);
const texts = Array.from({ length: frames.count }, (_, at) => frames.frame(at + 1));
const INCOMPLETE = "no whole message";

/** Signs what codes say. Nobody claims a sighash there. */
function overTheGap(codes: readonly string[]): unknown {
  const decoder = new UrDecoder(UR_TYPES.payment);
  const codesOfFaults: string[] = [];
  for (const text of codes) {
    try {
      decoder.receive(text);
    } catch (error) {
      // The page tells of the fault and reads on.
      codesOfFaults.push(SvcError.from(error).code);
    }
  }
  if (decoder.result === null) return codesOfFaults.at(-1) ?? INCOMPLETE;
  const prepared = decodePreparedPayment(decoder.result);
  const { payments, maxFee } = intent;
  const list = signer.sign({ payments, maxFee }, prepared);
  // The score alone is in no session: it decides the form of the bundle, and here the same one.
  const isSame = encodeHex(decoder.result) === encodeHex(cbor);
  expect({ ...prepared, daaScore: honest.daaScore }).toEqual(honest);
  return isSame ? list : SAME_PAYMENT;
}

const SAME_PAYMENT = "the same payment";

/** The code with which codes are refused, or why nothing is signed. */
function gapCode(codes: readonly string[]): string {
  try {
    const outcome = overTheGap(codes);
    if (typeof outcome === "string") return outcome;
  } catch (error) {
    if (error instanceof SvcError && error.code !== "engine/panic") return error.code;
    throw error;
  }
  return SAME_PAYMENT;
}

function framesOf(message: Uint8Array): string[] {
  const changed = new UrEncoder(UR_TYPES.payment, message);
  return Array.from({ length: changed.count }, (_, at) => changed.frame(at + 1));
}

/** The codes with one that was changed, in its letters or in its data under checksums that fit. */
function spoiltFrames(isResealed: boolean): string[] {
  const at = random.below(texts.length);
  const spoilt = [...texts];
  const text = texts[at] ?? "";
  if (!isResealed) {
    spoilt[at] = new TextDecoder().decode(mutate(new TextEncoder().encode(text)));
    return spoilt;
  }
  const frame = readFrame(text);
  if (!("part" in frame)) throw new Error("the message has one frame alone");
  const { part } = frame;
  spoilt[at] = partFrame(UR_TYPES.payment, { ...part, data: flipped(part.data) });
  return spoilt;
}

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const at = random.below(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  return copy;
}

const GAP_WAYS: readonly (() => string)[] = [
  () => gapCode(framesOf(flipped(cbor))),
  () => {
    const message = mutate(cbor);
    return message.length === 0 ? SAME_PAYMENT : gapCode(framesOf(message));
  },
  () => gapCode(spoiltFrames(false)),
  () => gapCode(spoiltFrames(true)),
];

/** How many mutations ended with which code; one that is none is drawn anew. */
function outcomes(draw: (index: number) => string): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  for (let index = 0; index < MUTATIONS;) {
    const code = draw(index);
    if (code === SAME_PAYMENT) continue;
    seen.set(code, (seen.get(code) ?? 0) + 1);
    index += 1;
  }
  console.info(JSON.stringify(Object.fromEntries(seen)));
  return seen;
}

test(`none of ${MUTATIONS} answers is signed that were changed on the way`, () => {
  expect(overHttp(honestly)().signatures).toHaveLength(1);
  const seen = outcomes((index) => HTTP_WAYS[index % HTTP_WAYS.length]?.(index) ?? "");
  // The mutations reach every kind of check, not the first one alone.
  for (const code of ["signer/note-differs", "signer/claim-differs", "signer/sighash-differs"]) {
    expect(seen.get(code) ?? 0, code).toBeGreaterThan(0);
  }
});

test(`none of ${MUTATIONS} messages is signed that were changed before their codes or in them`, () => {
  expect(overTheGap(texts)).toMatchObject({ session: honest.session });
  let turn = 0;
  const seen = outcomes(() => GAP_WAYS[(turn += 1) % GAP_WAYS.length]?.() ?? "");
  for (const code of ["signer/note-differs", "signer/wrong-session", "airgap/message-checksum"]) {
    expect(seen.get(code) ?? 0, code).toBeGreaterThan(0);
  }
});
