/** Raw HTTP/2 for tests: frames and pings that no gRPC library would send. */
import type { Http2Session, Http2Stream } from "node:http2";
import type { Socket } from "node:net";

/** A message as gRPC frames it. */
export function framed(content: Uint8Array, isCompressed = false): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(isCompressed ? 1 : 0, 0);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** Resolves when the bytes have left: what is said on the connection afterwards comes after them. */
export async function written(
  stream: Pick<Http2Stream, "write">,
  bytes: Uint8Array,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(bytes, (error) => (error instanceof Error ? reject(error) : resolve()));
  });
}

/** Waits until the other side has answered: it has not cut the connection, and has seen all that was sent before. */
export async function answers(session: Http2Session): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    session.ping((error) => (error === null ? resolve() : reject(error)));
  });
}

/** Begins to speak HTTP/2 on a connection that said nothing so far, and waits until that is acknowledged. */
export async function isServed(socket: Socket): Promise<void> {
  const settings = Buffer.from("000000040000000000", "hex");
  const acknowledged = Buffer.from("000000040100000000", "hex");
  let heard = Buffer.alloc(0);
  const served = new Promise<void>((resolve, reject) => {
    socket.on("data", (bytes: Buffer) => {
      heard = Buffer.concat([heard, bytes]);
      if (heard.includes(acknowledged)) resolve();
    });
    socket.once("close", () => reject(new Error("the connection was cut")));
  });
  socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings]));
  await served;
}
