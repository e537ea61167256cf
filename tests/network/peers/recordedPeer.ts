/** Replay peer: answers each request from a recorded initial block download. */
import { randomBytes } from "node:crypto";
import { startGrpcListener, type GrpcListener } from "@svc/node-server/p2p/link/grpcListener.ts";
import { shakeHands } from "@svc/node-server/p2p/handshake/handshake.ts";
import { Link } from "@svc/node-server/p2p/link/link.ts";
import type { Wire } from "@svc/node-server/p2p/link/wire.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import {
  readEnvelope,
  writeEnvelope,
  type P2pName,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";

const LOOPBACK = "127.0.0.1";

/** Messages of both sides in their order, as they went over the wire. */
export type RecordedMessage = { readonly from: "dialer" | "listener"; readonly bytes: Uint8Array };

/** Gets each answer on its way, encoded and without a route; returns what is sent. */
export type Tamper = (bytes: Uint8Array) => Uint8Array;

/** Questions, and the messages that answer them. */
const ANSWERS = {
  requestRelayBlocks: ["block"],
  requestIbdChainBlockLocator: ["ibdChainBlockLocator"],
  requestPruningPointProof: ["pruningPointProof"],
  requestPruningPointAndItsAnticone: [
    "pruningPoints",
    "trustedData",
    "blockWithTrustedDataV4",
    "doneBlocksWithTrustedData",
  ],
  requestHeaders: ["blockHeaders", "doneHeaders"],
  requestNextHeaders: ["blockHeaders", "doneHeaders"],
  requestPruningPointSmtState: ["smtMetadata", "smtLaneChunk"],
  requestIbdBlocks: ["ibdBlock"],
  requestPruningPointShieldedState: ["shieldedMetadata"],
  requestBlockBodies: ["blockBody"],
} as const satisfies Partial<Record<P2pName, readonly P2pName[]>>;
type Question = keyof typeof ANSWERS;
const QUESTIONS = namesOf(ANSWERS);
/** What is heard and not answered. */
const IGNORED = [
  "requestAddresses",
  "addresses",
  "ping",
  "pong",
  "invRelayBlock",
  "invTransactions",
  "requestShieldedHistory",
] as const satisfies readonly P2pName[];

/** The recording by question. */
export class Recording {
  readonly #answers: P2pPayload[] = [];
  readonly #bodies = new Map<string, P2pPayload>();
  /** The block that was announced first. */
  readonly announced: P2pPayload;
  /** The newest block of the recorded chain, as hex. */
  readonly sink: string;

  constructor(messages: readonly RecordedMessage[]) {
    let wanted: string[] = [];
    let announced: P2pPayload | null = null;
    for (const { from, bytes } of messages) {
      const { payload } = readEnvelope(bytes);
      if (payload?.$case === "invRelayBlock") announced ??= payload;
      if (payload?.$case === "requestBlockBodies") {
        wanted = payload.value.hashes.map((hash) => encodeHex(hash.bytes));
      } else if (payload?.$case === "blockBody") this.#bodies.set(wanted.shift() ?? "", payload);
      else if (payload !== undefined && from === "listener") this.#answers.push(payload);
    }
    const [locator] = this.#of("requestIbdChainBlockLocator");
    if (announced === null || locator?.$case !== "ibdChainBlockLocator") {
      throw new Error("the recording holds no announcement or no locator");
    }
    this.announced = announced;
    this.sink = encodeHex(locator.value.hashes[0]?.bytes ?? new Uint8Array());
  }

  /** All answers of a name in their order; those that are relayed blocks were asked for one by one. */
  named(name: P2pName): readonly P2pPayload[] {
    const answers = [...this.#answers, ...this.#bodies.values()];
    return answers.filter(({ $case }) => $case === name);
  }

  /** What is answered to a question; headers come page by page. */
  answersTo(question: P2pPayload, headerPage: number): readonly P2pPayload[] {
    switch (question.$case) {
      case "requestBlockBodies":
        return question.value.hashes.map((hash) => this.#bodyOf(encodeHex(hash.bytes)));
      case "requestRelayBlocks":
      case "requestIbdChainBlockLocator":
        return this.#of(question.$case).slice(0, 1);
      case "requestHeaders":
      case "requestNextHeaders":
        return this.#of(question.$case).slice(headerPage, headerPage + 1);
      default:
        return isQuestion(question.$case) ? this.#of(question.$case) : [];
    }
  }

  #of(question: Question): readonly P2pPayload[] {
    const names: readonly P2pName[] = ANSWERS[question];
    return this.#answers.filter(({ $case }) => names.includes($case));
  }

  #bodyOf(hash: string): P2pPayload {
    const body = this.#bodies.get(hash);
    if (body === undefined) throw new Error(`the recording has no body of ${hash}`);
    return body;
  }
}

/** A running peer. */
export class RecordedPeer {
  readonly #listener: GrpcListener;

  private constructor(listener: GrpcListener) {
    this.#listener = listener;
  }

  /** Takes whoever dials it in, on the network of this name. */
  static async start(
    recording: Recording,
    { network, tamper }: { readonly network: string; readonly tamper: Tamper },
  ): Promise<RecordedPeer> {
    const onWire = (wire: Wire): void => {
      // Whoever leaves in the middle of it has done what the test wanted.
      play(wire, recording, { network, tamper }).catch(() => undefined);
    };
    const admits = (): boolean => true;
    return new RecordedPeer(await startGrpcListener({ host: LOOPBACK, port: 0, admits, onWire }));
  }

  /** Where it is dialled. */
  get port(): number {
    return this.#listener.port;
  }

  /** Ends all links. */
  stop(): Promise<void> {
    return this.#listener.stop();
  }
}

type Playing = { readonly network: string; readonly tamper: Tamper };

async function play(wire: Wire, recording: Recording, parts: Playing): Promise<void> {
  const { network, tamper } = parts;
  const link = new Link({ wire, clock: systemClock, onUnknown: () => undefined });
  const own = {
    services: 0n,
    address: undefined,
    id: randomBytes(16),
    userAgent: "/recorded:1/",
    disableRelayTx: false,
    subnetworkId: undefined,
    network,
  };
  const questions = await shakeHands(link, {
    own,
    clock: systemClock,
    judge: () => undefined,
    prepare: () => link.route([...QUESTIONS, ...IGNORED]),
  });
  link.send(recording.announced);
  let headerPage = -1;
  for (;;) {
    const { payload, requestId } = await questions.next(null);
    if (payload.$case === "requestHeaders") headerPage = 0;
    if (payload.$case === "requestNextHeaders") headerPage += 1;
    for (const answer of recording.answersTo(payload, headerPage)) {
      await link.room();
      const bytes = writeEnvelope({ payload: answer, responseId: 0, requestId: 0 });
      link.sendEncoded(tamper(bytes), requestId);
    }
  }
}

function isQuestion(name: P2pName): name is Question {
  return name in ANSWERS;
}

function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in record) names.push(name);
  return names;
}
