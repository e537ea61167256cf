/** A DNS server on loopback, for tests. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import packet, { type DecodedPacket } from "dns-packet";

/** Address records by name. */
export type Zone = Readonly<Record<string, { readonly a?: string[]; readonly aaaa?: string[] }>>;

/** A running server: the questions it got, `NAME TYPE`, and its port. */
export type TestNameServer = {
  readonly address: string;
  readonly asked: string[];
  readonly stop: () => Promise<void>;
};

/** Starts a DNS server. A name that is not in the zone gets no answer at all. */
export async function startNameServer(zone: Zone): Promise<TestNameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (bytes, { port, address }) => {
    const query = packet.decode(bytes);
    const [question] = query.questions ?? [];
    asked.push(`${question?.name} ${question?.type}`);
    const entry = zone[question?.name ?? ""];
    if (entry !== undefined) socket.send(answer(query, entry), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const stop = async (): Promise<void> => {
    socket.close();
    await once(socket, "close");
  };
  return { address: `127.0.0.1:${socket.address().port}`, asked, stop };
}

function answer({ id = 0, questions = [] }: DecodedPacket, entry: Zone[string]): Buffer {
  const [{ name, type } = { name: "", type: "A" as const }] = questions;
  const data = type === "AAAA" ? entry.aaaa : entry.a;
  const rows = type === "A" || type === "AAAA" ? (data ?? []) : [];
  return packet.encode({
    type: "response",
    id,
    flags: packet.AUTHORITATIVE_ANSWER,
    questions,
    answers: rows.map((ip) => ({ type: type === "AAAA" ? "AAAA" : "A", name, ttl: 30, data: ip })),
  });
}
