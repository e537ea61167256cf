/**
 * Build plugin that loads the stored theme (`theme.js`) before the first paint of a page. The policy forbids inline
 * scripts, so the few lines are a hashed file of their own, loaded ahead of everything else.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** The plugin: emits the script and names it first in every page's head. */
export function themeScript(): Plugin {
  let reference = "";
  return {
    name: "theme-script",
    apply: "build",
    buildStart() {
      const source = readFileSync(new URL("./theme.js", import.meta.url), "utf8");
      reference = this.emitFile({ type: "asset", name: "theme.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, context) {
        const name = Object.values(context.bundle ?? {}).find(
          (file) => file.type === "asset" && file.names.includes("theme.js"),
        )?.fileName;
        if (name === undefined) throw new Error(`the theme script ${reference} was not emitted`);
        return [{ tag: "script", attrs: { src: `/${name}` }, injectTo: "head-prepend" }];
      },
    },
  };
}
