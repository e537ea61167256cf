/** Lying peer: a man in the middle between an honest node and the node that dials it, which alters one message. */
import { randomBytes } from "node:crypto";
import { dialPeer } from "@svc/node-server/p2p/link/grpcDialer.ts";
import { startGrpcListener, type GrpcListener } from "@svc/node-server/p2p/link/grpcListener.ts";
import type { Wire } from "@svc/node-server/p2p/link/wire.ts";
import { PATIENT_DIAL } from "@svc/node-server/p2p/testkit/patientDial.ts";
import { readEnvelope, writeEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";

const LOOPBACK = "127.0.0.1";

/** Gets each message of the honest node on its way; returns what goes on, `null` for nothing. */
export type Tamper = (bytes: Uint8Array) => Uint8Array | null;

/** A running liar. */
export class LyingPeer {
  readonly #listener: GrpcListener;
  readonly #wires: Set<Wire>;

  private constructor(listener: GrpcListener, wires: Set<Wire>) {
    this.#listener = listener;
    this.#wires = wires;
  }

  /** Starts one in front of the node at a port. */
  static async start(honestPort: number, tamper: Tamper): Promise<LyingPeer> {
    const wires = new Set<Wire>();
    const listener = await startGrpcListener({
      host: LOOPBACK,
      port: 0,
      admits: () => true,
      onWire: (wire) => {
        wires.add(wire);
        connect(wire, { honestPort, tamper, wires });
      },
    });
    return new LyingPeer(listener, wires);
  }

  /** Where it is dialled. */
  get port(): number {
    return this.#listener.port;
  }

  /** Ends all links. */
  async stop(): Promise<void> {
    for (const wire of this.#wires) wire.close();
    await this.#listener.stop();
  }
}

type Connecting = {
  readonly honestPort: number;
  readonly tamper: Tamper;
  readonly wires: Set<Wire>;
};

/** What the victim says before the honest node has answered the call waits. */
function connect(victim: Wire, { honestPort, tamper, wires }: Connecting): void {
  const early: Uint8Array[] = [];
  let honest: Wire | null = null;
  const gone = new AbortController();
  victim.listen({
    onMessage: (bytes) => {
      const passed = asStranger(bytes);
      if (honest === null) early.push(passed);
      else honest.send(passed);
    },
    onSent: () => undefined,
    onClosed: () => {
      gone.abort();
      wires.delete(victim);
      honest?.close();
    },
  });
  const address = { ip: LOOPBACK, port: honestPort };
  dialPeer(address, gone.signal, { limits: PATIENT_DIAL }).then(
    (wire) => {
      honest = wire;
      wires.add(wire);
      wire.listen({
        onMessage: (bytes) => {
          try {
            const passed = tamper(bytes);
            if (passed !== null) victim.send(passed);
          } catch (error) {
            // A liar that does not know what to say would look like one that stalls.
            console.error(error);
            victim.close();
          }
        },
        onSent: () => undefined,
        onClosed: () => {
          wires.delete(wire);
          victim.close();
        },
      });
      for (const bytes of early) wire.send(bytes);
    },
    (error: unknown) => {
      if (!gone.signal.aborted) console.error(error);
      victim.close();
    },
  );
}

/** The victim's words; to the honest node it is somebody else each time, as it would be to others than this machine. */
function asStranger(bytes: Uint8Array): Uint8Array {
  const envelope = readEnvelope(bytes);
  if (envelope.payload?.$case !== "version") return bytes;
  const value = { ...envelope.payload.value, id: randomBytes(16) };
  return writeEnvelope({ ...envelope, payload: { $case: "version", value } });
}
