/**
 * Build plugin that puts the order of the CSS cascade layers at the head of every stylesheet. The first sheet that names a
 * layer decides its rank, and the bundler is free to load sheets in any order.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const SHEET = readFileSync(new URL("../ui/styles/layers.css", import.meta.url), "utf8");
const ORDER = /@layer [^;]+;/.exec(SHEET)?.[0] ?? "";

/** The plugin. */
export function layerOrder(): Plugin {
  return {
    name: "layer-order",
    enforce: "pre",
    transform(code, id) {
      return id.endsWith(".css") ? { code: `${ORDER}\n${code}`, map: null } : null;
    },
  };
}
