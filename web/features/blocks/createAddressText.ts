/** Address formatter of the block explorer: encodes raw receivers as address text once the core has loaded. */
import { createSignal, type Accessor } from "solid-js";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { loadCore } from "@svc/shared/core/loadCore.ts";
import * as glue from "../../../wasm-core/pkg/core/core.js";
import { readNetwork } from "../../node/networks.ts";
import { askText } from "../../node/nodeQuestions.ts";
import { coreModule } from "../../node/wasmModules.ts";
import { shortId } from "../../i18n/format.ts";

/** Turns the 43 bytes of a receiver into an address once the core is there; until then a short hex. */
export function createAddressText(url: string): Accessor<(recipient: string) => string> {
  const short = (hex: string) => shortId(hex);
  const [text, setText] = createSignal<(recipient: string) => string>(short);
  const load = async () => {
    const core = loadCore(glue, await coreModule());
    const json = await askText(
      "profile",
      { url, path: "/v1/profile" },
      new AbortController().signal,
    );
    const { hrp } = readNetwork(core, json).view;
    setText(() => (hex: string) => callCore(() => core.encodeAddress(hrp, decodeHex(hex))));
  };
  // Without the core, or with an unknown network, the short hex says as much as is known.
  load().catch(() => undefined);
  return text;
}
