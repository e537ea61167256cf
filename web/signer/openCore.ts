/** Loads the core out of the page itself: nothing is fetched. */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { loadCore } from "@svc/shared/core/loadCore.ts";
import * as glue from "../../wasm-core/pkg/core/core.js";
import packedCore from "../../wasm-core/pkg/core/core_bg.wasm?packed";
import { unpack } from "./unpack.ts";

/** The names by which the core knows the built-in networks are those of the files. */
const FILES = import.meta.glob<string>(
  ["../../wasm-core/profiles/*.json", "!../../wasm-core/profiles/defaults.json"],
  { eager: true, import: "networkName" },
);

/** The core, ready for calls. Rejects with `engine/…`. */
export async function openCore(): Promise<CoreGlue> {
  const module = await WebAssembly.compile(await unpack(packedCore));
  // Browsers instantiate a module of this size in the background alone.
  await glue.default({ module_or_path: module });
  return loadCore(glue, module);
}

/** The profiles of the built-in networks, as canonical JSON. */
export function builtInProfiles(core: CoreGlue): readonly string[] {
  const names = Object.keys(FILES).map((file) =>
    file.slice(file.lastIndexOf("/") + 1, -".json".length),
  );
  return names.map((name) => callCore(() => core.builtInProfile(name)));
}
