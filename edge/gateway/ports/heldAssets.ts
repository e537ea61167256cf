/** The files of the checkout pages, as an instance of the Worker read them: from the platform's static assets, once. */
import * as v from "valibot";
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  ASSET_LIST,
  CHECKOUT_ASSETS,
  type CheckoutAssets,
} from "@svc/shared/gateway/page/checkoutAssets.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";

/** The binding looks at the path alone. */
const PLACE = "https://assets.example";
const list = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/))),
  v.maxLength(EDGE_LIMITS.assetFiles),
);

/** The files of an environment. */
export class HeldAssets {
  readonly #binding: GatewayEnv["ASSETS"];
  #files: CheckoutAssets | null = null;

  constructor(binding: GatewayEnv["ASSETS"]) {
    this.#binding = binding;
  }

  /** Reads them; null where they cannot be read now, which the log says. Pages work without their script. */
  async files(): Promise<CheckoutAssets | null> {
    if (this.#files !== null) return this.#files;
    if (this.#binding === undefined) return (this.#files = new Map());
    try {
      const names = v.parse(list, await this.#text(ASSET_LIST));
      const texts = names.map(async (name) => [name, await this.#text(name)] as const);
      return (this.#files = new Map(await Promise.all(texts)));
    } catch (thrown) {
      console.error("the files of the checkout pages were not read", SvcError.from(thrown));
      return null;
    }
  }

  async #text(name: string): Promise<string> {
    const response = await this.#binding?.fetch(`${PLACE}${CHECKOUT_ASSETS}${name}`);
    if (response?.ok !== true) throw new SvcError("http/not-found", { path: name });
    const bytes = await bodyWithin(response, EDGE_LIMITS.assetBytes);
    return new TextDecoder().decode(bytes);
  }
}
