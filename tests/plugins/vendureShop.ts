/** A real Vendure shop with the plugin, in a process of its own: the tests speak to it over HTTP, as customers and merchants do. */
import { fork, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as v from "valibot";

const plugin = new URL("../../edge/plugin/vendure/", import.meta.url);
const program = new URL("dist/testkit/shop.js", plugin);

/** Whether Vendure is installed. A plugin that then does not compile is no reason to skip its tests. */
export function hasVendure(): boolean {
  return existsSync(new URL("node_modules/.setup", plugin));
}

/** Behind the titles of tests in a shop: the reason where they are skipped. */
export const WITHOUT = hasVendure() ? "" : " (no packages: sh scripts/setup.sh vendure)";

/** Options of the plugin that a test sets. */
export type ShopOptions = {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly conversion: "gateway" | Readonly<Record<string, string>>;
  readonly checkoutOrigin?: string;
  readonly redirectUrl?: string;
  readonly requiredBlueScore?: number;
  readonly latePayments?: "hold" | "accept";
};

const reply = v.object({ said: v.optional(v.unknown()), error: v.optional(v.string()) });
const answer = v.object({
  data: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  errors: v.optional(v.array(v.looseObject({ message: v.string() }))),
});

/** The shop. */
export class VendureShop {
  readonly url: string;
  readonly #child: ChildProcess;
  #admin = "";

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts one at a time in Unix seconds, null for the machine's clock, with the payment method under the code `coins` and another one, `cash`. */
  static async start(options: ShopOptions, nowS: bigint | null): Promise<VendureShop> {
    const child = fork(fileURLToPath(program), [], {
      cwd: fileURLToPath(plugin),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [],
    });
    const url = await told(child, {
      do: "start",
      options,
      nowS: nowS === null ? null : Number(nowS),
    });
    const shop = new VendureShop(child, v.parse(v.string(), url));
    await shop.#signIn();
    await shop.#addMethod("coins", { code: "svc-gateway", arguments: [] });
    const settle = [{ name: "automaticSettle", value: "true" }];
    await shop.#addMethod("cash", { code: "dummy-payment-handler", arguments: settle });
    return shop;
  }

  /** Tells it the time. */
  async setNow(nowS: bigint): Promise<void> {
    await told(this.#child, { do: "now", nowS: Number(nowS) });
  }

  /** Runs the task that reads open invoices again. */
  reconcile(): Promise<unknown> {
    return told(this.#child, { do: "reconcile" });
  }

  /** What it logged since the last call. */
  async log(): Promise<string> {
    return v.parse(v.array(v.string()), await told(this.#child, { do: "log" })).join("\n");
  }

  /** Ends it. */
  async stop(): Promise<void> {
    const gone = once(this.#child, "exit");
    await told(this.#child, { do: "stop" });
    this.#child.kill();
    await gone;
  }

  /** Asks as its merchant. */
  async asMerchant(query: string, variables: object = {}): Promise<Record<string, unknown>> {
    return (await ask(`${this.url}/admin-api`, this.#admin, query, variables)).data;
  }

  async #signIn(): Promise<void> {
    const query = `mutation { login(username: "superadmin", password: "superadmin") { __typename } }`;
    this.#admin = (await ask(`${this.url}/admin-api`, "", query, {})).token;
  }

  async #addMethod(code: string, handler: object): Promise<void> {
    await this.asMerchant(
      `mutation ($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }`,
      {
        input: {
          ...{ code, enabled: true, handler },
          translations: [{ languageCode: "en", name: code, description: "" }],
        },
      },
    );
  }
}

/** Asks a GraphQL API; the data of its answer, and the session that it gave. Rejects with what the API calls an error. */
export async function ask(
  url: string,
  token: string,
  query: string,
  variables: object,
): Promise<{ readonly data: Record<string, unknown>; readonly token: string }> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = v.parse(answer, await response.json());
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join("; "));
  return { data: data ?? {}, token: response.headers.get("vendure-auth-token") ?? token };
}

/** Tells the process something; what it answers. One thing at a time. */
async function told(child: ChildProcess, message: object): Promise<unknown> {
  const heard = new AbortController();
  const { signal } = heard;
  const ended = once(child, "exit", { signal }).then(() => {
    throw new Error("the shop has ended");
  });
  try {
    const answered = once(child, "message", { signal });
    child.send(message);
    const [given] = await Promise.race([answered, ended]);
    const { said, error } = v.parse(reply, given);
    if (error !== undefined) throw new Error(error);
    return said;
  } finally {
    ended.catch(() => undefined);
    heard.abort();
  }
}

/** The text of a file of the plugin. */
export function pluginFile(path: string): string {
  return readFileSync(new URL(path, plugin), "utf8");
}
