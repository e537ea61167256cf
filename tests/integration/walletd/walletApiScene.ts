/**
 * Scene of the wallet API's contract: the daemon as programs start it, over a node, and requests to it. Every answer is held against
 * the OpenAPI document that the daemon serves: its status is listed there, its JSON fits the schema, and its code is named. A success
 * has the keys that are written down for it, and no other.
 */
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import type { WebhookEndpoint } from "@svc/node-server/client/deliveryQueue.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { WalletdParts } from "@svc/node-server/walletd/startWalletd.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { unlikeBody } from "../../testkit/walletBodies.ts";
import { tipOf } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { startTestWalletd } from "./walletdFixture.ts";

/** The rows of the table. */
export const ROUTE_NAMES: readonly RouteName[] = Object.keys(WALLET_ROUTES).filter(
  (name): name is RouteName => name in WALLET_ROUTES,
);

/** What a request carries beside the path of its row. */
export type Asked = {
  /** Null sends none. */
  readonly token?: string | null;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
};

/** An answer. */
export type Answered = {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  /** Of a refusal; empty for none. */
  readonly code: string;
};

/** How the daemon of a scene is started. */
export type SceneOptions = {
  /** `host:port` of the gRPC API. */
  readonly node: string;
  readonly custodial?: boolean;
  readonly bearer?: string;
  /** Where deposits are told to; to nobody where it is left out. */
  readonly webhook?: WebhookEndpoint;
  /** What else is not as usual. */
  readonly over?: Partial<WalletdParts>;
};

type Json = Readonly<Record<string, unknown>>;

/** A daemon and its callers. */
export class WalletApiScene {
  readonly address: string;
  /** What answers did not agree with the document. */
  readonly defects = new Set<string>();
  /** `row code` of every refusal that came. */
  readonly refusals = new Set<string>();
  /** Rows that were answered with success. */
  readonly served = new Set<string>();
  readonly #contract: OpenApiContract;
  readonly #stop: () => Promise<void>;

  private constructor(address: string, contract: OpenApiContract, stop: () => Promise<void>) {
    this.address = address;
    this.#contract = contract;
    this.#stop = stop;
  }

  /** Starts the daemon in a folder of its own. */
  static async start(options: SceneOptions): Promise<WalletApiScene> {
    const folder = temporaryFolder();
    const { webhook = null, over: more, ...rest } = options;
    const proofs = { atOnce: 2, threads: 1, cacheFolder: null };
    const over = { proofs, webhook, ...more };
    const daemon = await startTestWalletd({ folder: folder.path, ...rest, over });
    const bearer = options.bearer === undefined ? {} : authorization(options.bearer);
    const document = await fetch(`${daemon.address}/openapi.json`, { headers: bearer });
    const stop = async (): Promise<void> => {
      await daemon.stop();
      folder.remove();
    };
    return new WalletApiScene(daemon.address, new OpenApiContract(await document.json()), stop);
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** The typed client of a wallet; its answers are held against the document, too. */
  client(token: string | null): WalletClient {
    const watched: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const url = input instanceof Request ? input.url : input;
      const name = this.#contract.rowOf(init?.method ?? "GET", String(url));
      this.#hear(name, response.status, await response.clone().text());
      return response;
    };
    return new WalletClient({ baseUrl: this.address, token, fetch: watched });
  }

  /** Makes the call of a row. */
  async ask(name: RouteName, asked: Asked = {}): Promise<Answered> {
    const { method } = WALLET_ROUTES[name];
    const { token = null, body } = asked;
    const response = await fetch(this.address + targetOf(name, asked), {
      method: asked.method ?? method,
      headers: {
        ...(token === null ? {} : { "X-Wallet-Token": token }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...asked.headers,
      },
      ...(body === undefined ? {} : { body: bytesOf(body) }),
    });
    const text = await response.text();
    // Another method is none of the row's.
    if (asked.method !== undefined) return answered(response.status, text);
    return this.#hear(name, response.status, text);
  }

  /** The code of a refusal with its status; `200` or `202` for none. */
  async code(name: RouteName, asked: Asked = {}): Promise<string> {
    const { status, code } = await this.ask(name, asked);
    return code === "" ? String(status) : `${status} ${code}`;
  }

  /** Resolves with the status of a wallet once it has scanned the node's chain to its end and this is so. */
  async untilAtTip(
    node: RunningNode,
    token: string,
    isSo: (status: Json) => boolean = ({ spend_ready: isReady }) => isReady === true,
  ): Promise<Json> {
    return untilFound(async () => {
      const { daaScore } = await tipOf(node);
      const { json } = await this.ask("status", { token });
      const isThere = json["synced"] === true && json["chain_len"] === Number(daaScore);
      // The DAA score of the tip is that of the next block.
      return isThere && json["blocks_behind"] === 1 && isSo(json) && json;
    });
  }

  #hear(name: RouteName, status: number, text: string): Answered {
    const answer = answered(status, text);
    const flaw = this.#contract.flawOf(name, answer);
    if (flaw !== null) this.defects.add(`${name} ${status} ${answer.code}: ${flaw}`);
    const isJson = !("isCsv" in WALLET_ROUTES[name]);
    const unlike = status === 200 && isJson ? unlikeBody(name, answer.json) : [];
    for (const place of unlike) this.defects.add(`${name}: ${place}`);
    if (answer.code === "") this.served.add(name);
    else this.refusals.add(`${name} ${answer.code}`);
    return answer;
  }
}

/** Holds answers against an OpenAPI document. */
class OpenApiContract {
  readonly #paths: Json;
  readonly #components: unknown;
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: unknown) {
    this.#paths = recordOf(recordOf(document)["paths"]);
    this.#components = recordOf(document)["components"];
  }

  /** The row that serves a request. */
  rowOf(method: string, url: string): RouteName {
    const { pathname } = new URL(url);
    const found = ROUTE_NAMES.find((name) => {
      const row = WALLET_ROUTES[name];
      const pattern = row.path.replaceAll(/\{\w+\}/g, "[^/]+");
      return row.method === method && new RegExp(`^${pattern}$`).test(pathname);
    });
    if (found === undefined) throw new Error(`no row serves ${method} ${pathname}`);
    return found;
  }

  /** What the document does not say of an answer; null for nothing. */
  flawOf(name: RouteName, { status, json, code }: Answered): string | null {
    const { path, method } = WALLET_ROUTES[name];
    const operation = recordOf(recordOf(this.#paths[path])[method.toLowerCase()]);
    const listed = recordOf(operation["responses"])[String(status)];
    if (listed === undefined) return "the status is not listed";
    const { description, content } = recordOf(listed);
    if (code !== "" && !String(description).includes(`\`${code}\``))
      return "the code is not listed";
    // A file: its lines are for the tests of what writes them.
    if ("text/csv" in recordOf(content)) return null;
    const { schema } = recordOf(recordOf(content)["application/json"]);
    const validate = this.#validator(`${name} ${status}`, recordOf(schema));
    return validate(json) ? null : this.#ajv.errorsText(validate.errors);
  }

  #validator(key: string, schema: AnySchemaObject): ValidateFunction {
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const made = this.#ajv.compile({ ...schema, components: this.#components });
    this.#compiled.set(key, made);
    return made;
  }
}

/** The header of the transport's token. */
export function authorization(bearer: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${bearer}` };
}

function targetOf(name: RouteName, { params = {}, query = {} }: Asked): string {
  const path = WALLET_ROUTES[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  const search = new URLSearchParams({ ...query });
  return search.size === 0 ? path : `${path}?${search}`;
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function answered(status: number, text: string): Answered {
  const json = text.startsWith("{") ? recordOf(JSON.parse(text)) : {};
  const { code } = json;
  return { status, json, code: typeof code === "string" ? code : "" };
}

/** A JSON object. Throws for anything else. */
export function recordOf(value: unknown): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`no JSON object: ${JSON.stringify(value)}`);
  }
  return { ...value };
}
