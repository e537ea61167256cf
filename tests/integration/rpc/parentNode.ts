/**
 * What a node of the parent network would answer: our own node behind a filter that takes every field away which only nodes of
 * this program know, those numbered from 100 on, from requests and from answers.
 */
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
} from "@grpc/grpc-js";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { messageStream, rpcServiceDefinition } from "@svc/node-server/client/messageStream.ts";

const FIRST_METHOD = 1_001;
const ERROR = 1_000;
const OURS_FROM = 100;

/** The filter, and the node behind it. */
export type ParentNode = {
  readonly address: string;
  /** The methods that were asked for, by number, in order. */
  readonly asked: number[];
  readonly close: () => void;
};

/** How a filter is set up. */
export type ParentNodeOptions = {
  /** 0 for one that the system chooses. */
  readonly port?: number;
  /** Passes everything on: a node of this program has taken the place of the other. */
  readonly isOurs?: boolean;
};

/** Starts a filter before the node at an address. */
export async function startParentNode(
  target: string,
  { port = 0, isOurs = false }: ParentNodeOptions = {},
): Promise<ParentNode> {
  const filter = isOurs ? (bytes: Uint8Array) => bytes : withoutOurs;
  const server = new Server({ "grpc.max_send_message_length": -1 });
  const asked: number[] = [];
  const open = new Set<Client>();
  const relay = (call: ServerDuplexStream<Uint8Array, Uint8Array>): void => {
    const client = new Client(target, credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
      "grpc.use_local_subchannel_pool": 1,
    });
    open.add(client);
    const { path, requestSerialize, responseDeserialize } = messageStream;
    const stream = client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      new Metadata(),
    );
    call.on("error", () => undefined);
    stream.on("error", () => call.end());
    call.on("data", (request: Uint8Array) => {
      asked.push(methodOf(request));
      stream.write(filter(request));
    });
    call.on("end", () => stream.end());
    call.on("cancelled", () => client.close());
    stream.on("data", (answer: Uint8Array) => call.write(filter(answer)));
    stream.on("end", () => call.end());
  };
  server.addService(rpcServiceDefinition, { messageStream: relay });
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, found) =>
      error === null ? resolve(found) : reject(error),
    );
  });
  const close = (): void => {
    server.forceShutdown();
    for (const client of open) client.close();
  };
  return { address: `127.0.0.1:${bound}`, asked, close };
}

/** An envelope without our fields: of the payload those from 100 on but its error, and of the error the JSON. */
export function withoutOurs(envelope: Uint8Array): Uint8Array {
  return mapFields(envelope, (field, bytes) =>
    field < FIRST_METHOD || bytes === null ? bytes : withoutOursIn(bytes),
  );
}

function withoutOursIn(payload: Uint8Array): Uint8Array {
  return mapFields(payload, (field, bytes) => {
    if (field === ERROR && bytes !== null) return withoutOursIn(bytes);
    return field >= OURS_FROM ? undefined : bytes;
  });
}

/** `change` gets the bytes of a field, null for one that has none, and answers undefined to take it away. */
function mapFields(
  message: Uint8Array,
  change: (field: number, bytes: Uint8Array | null) => Uint8Array | null | undefined,
): Uint8Array {
  const reader = new BinaryReader(message);
  const writer = new BinaryWriter();
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [field, wireType] = reader.tag();
    const bytes = wireType === WireType.LengthDelimited ? reader.bytes() : null;
    if (bytes === null) reader.skip(wireType, field);
    const changed = change(field, bytes);
    if (changed === undefined) continue;
    if (changed === null) writer.raw(message.subarray(start, reader.pos));
    else writer.tag(field, wireType).bytes(changed);
  }
  return writer.finish();
}

function methodOf(envelope: Uint8Array): number {
  const reader = new BinaryReader(envelope);
  let method = 0;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field >= FIRST_METHOD) method = field;
    reader.skip(wireType, field);
  }
  return method;
}
