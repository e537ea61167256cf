/** A small SOCKS5 proxy on loopback, for tests: it connects or fails as the test says. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { listenLocally } from "../../platform/testkit/listenLocally.ts";

/** How the proxy treats a connection. */
export type SocksManner =
  | "connects"
  /** Says that nobody is there. */
  | "refuses"
  /** Takes the greeting and says nothing. */
  | "is silent"
  /** Ends its half in the middle of the handshake. */
  | "ends early"
  /** Ends its half after it said that the peer is connected. */
  | "ends late"
  /** Keeps its last word until the peer has said something, and sends both at once. */
  | "connects in one breath";

/** A running proxy. */
export type SocksServer = {
  readonly host: string;
  readonly port: number;
  /** What it was told to connect to: kind of the address and `HOST:PORT`, in order. */
  readonly asked: string[];
  /** Connections to it that are open. */
  readonly open: () => number;
  manner: SocksManner;
  stop(): Promise<void>;
};

const HOST = "127.0.0.1";
const GREETING = Uint8Array.of(5, 0);
const [IPV4, NAME] = [1, 3];
const KINDS: Readonly<Record<number, string>> = { 1: "address", 3: "name", 4: "address" };
const reply = (code: number): Uint8Array => Uint8Array.of(5, code, 0, 1, 0, 0, 0, 0, 0, 0);
const OK = 0;
const HOST_UNREACHABLE = 4;

/** Starts a proxy. Names lead to the ports of this machine that `places` has for them; addresses to themselves. */
export async function startSocksServer(
  places: Readonly<Record<string, number>>,
): Promise<SocksServer> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    return socket;
  };
  const clients = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    clients.add(keep(socket));
    socket.once("close", () => clients.delete(socket));
    serve(socket).catch(() => socket.destroy());
  });
  const port = await listenLocally(server);
  const running: SocksServer = {
    host: HOST,
    port,
    asked: [],
    open: () => clients.size,
    manner: "connects",
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  const serve = async (socket: Socket): Promise<void> => {
    const { manner } = running;
    const read = reader(socket);
    const [, methods = 0] = await read(2);
    await read(methods);
    if (manner === "ends early") socket.end();
    if (manner === "ends early" || manner === "is silent") {
      hearEnd(socket);
      return;
    }
    socket.write(GREETING);
    const { kind, name, asked } = await readQuestion(read);
    running.asked.push(`${KINDS[kind]} ${name}:${asked}`);
    const place = kind === NAME ? (places[name] ?? 0) : asked;
    await connectTo(socket, manner, () => keep(connect(place, HOST)));
  };
  return running;
}

type Question = { readonly kind: number; readonly name: string; readonly asked: number };

async function readQuestion(read: (count: number) => Promise<Buffer>): Promise<Question> {
  const [, , , kind = 0] = await read(4);
  const length = kind === NAME ? ((await read(1))[0] ?? 0) : kind === IPV4 ? 4 : 16;
  const host = await read(length);
  const [high = 0, low = 0] = await read(2);
  const name = kind === NAME ? host.toString("latin1") : [...host].join(".");
  return { kind, name, asked: 256 * high + low };
}

async function connectTo(socket: Socket, manner: SocksManner, dial: () => Socket): Promise<void> {
  if (manner === "refuses" || manner === "ends late") {
    socket.end(reply(manner === "refuses" ? HOST_UNREACHABLE : OK));
    hearEnd(socket);
    return;
  }
  const peer = dial();
  await once(peer, "connect");
  if (manner === "connects in one breath") {
    const [words] = (await once(peer, "data")) as [Buffer];
    socket.write(Buffer.concat([reply(OK), words]));
  } else socket.write(reply(OK));
  socket.pipe(peer);
  peer.pipe(socket);
}

/** Nothing more is said, but that the other side goes is noticed. */
function hearEnd(socket: Socket): void {
  socket.once("end", () => socket.destroy());
  // Who read piece by piece before flows from the next turn on.
  setImmediate(() => socket.resume());
}

/** Reads so many bytes at a time. */
function reader(socket: Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    for (;;) {
      const bytes: unknown = count === 0 ? Buffer.alloc(0) : socket.read(count);
      if (Buffer.isBuffer(bytes)) return bytes;
      await once(socket, "readable");
    }
  };
}
