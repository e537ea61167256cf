/** The renderer of the pages, as the build makes it: `edge/wrangler.toml` says where it lies, tests put one of their own in its place. */
declare module "virtual:explorer-renderer" {
  import type { RenderExplorerPage } from "@svc/shared/explorer/pageRenderer.ts";

  export const renderExplorerPage: RenderExplorerPage;
}
