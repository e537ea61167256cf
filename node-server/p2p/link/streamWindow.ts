/**
 * HTTP/2 flow control of the listener: how much a peer may send before this side acknowledges it. The gRPC library has an
 * option for that in clients only, and keeps the HTTP/2 session of a server to itself; Node tells of each stream, whoever made
 * the server.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ServerHttp2Stream } from "node:http2";
import * as v from "valibot";

const CREATED = "http2.server.stream.created";
const message = v.object({ stream: v.custom<ServerHttp2Stream>(isStream) });

/**
 * Widens the flow-control window of every connection to this port with its first stream, in bytes. The returned call ends that.
 */
export function widenWindows(port: number, bytes: number): () => void {
  const widened = new WeakSet<object>();
  const onCreated = (told: unknown): void => {
    const { success, output } = v.safeParse(message, told);
    const session = success ? output.stream.session : undefined;
    if (session === undefined || session.destroyed || widened.has(session)) return;
    if (session.socket.localPort !== port) return;
    // Once: whoever opens stream after stream and answers no settings would have too many of them pending.
    widened.add(session);
    session.setLocalWindowSize(bytes);
    session.settings({ initialWindowSize: bytes });
  };
  subscribe(CREATED, onCreated);
  return () => void unsubscribe(CREATED, onCreated);
}

function isStream(value: unknown): boolean {
  return typeof value === "object" && value !== null && "session" in value;
}
