/** DNS over UDP, whose senders may be forged: no datagram ends the program, and little comes back for each. */
import type { RemoteInfo, Socket } from "node:dgram";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { sourceOf } from "../platform/net/netAddress.ts";
import { guarded } from "../platform/net/guarded.ts";
import type { Log } from "../platform/log/log.ts";
import type { HostRateLimiter } from "../platform/time/hostRateLimiter.ts";

/** Dependencies of the UDP side. */
export type DatagramParts = {
  /** The answer to a message, of `room` bytes at most; null to say nothing. */
  readonly answer: (message: Buffer, room: number) => Buffer | null;
  readonly rates: HostRateLimiter;
  readonly log: Log;
};

/** Answers the queries that come to a socket. */
export function serveDatagrams(udp: Socket, parts: DatagramParts): void {
  const hear = (message: Buffer, from: RemoteInfo): void =>
    answerDatagram(udp, message, from, parts);
  const onFault = (fault: SvcError): void =>
    parts.log.debug({ err: fault, code: fault.code }, "a datagram could not be answered");
  udp.on("message", guarded(hear, onFault));
}

function answerDatagram(
  udp: Socket,
  message: Buffer,
  { address, port }: RemoteInfo,
  { answer, rates }: DatagramParts,
): void {
  // Whoever claims port 0 cannot be answered: an attempt would throw.
  if (port === 0 || message.length > SEEDER_LIMITS.dnsQueryBytes) return;
  if (!rates.takes(sourceOf(address))) return;
  const room = Math.min(SEEDER_LIMITS.dnsUdpBytes, SEEDER_LIMITS.dnsAmplification * message.length);
  const reply = answer(message, room);
  // Nobody waits for the outcome, and the next question comes on the same socket.
  if (reply !== null) udp.send(reply, port, address, () => {});
}
