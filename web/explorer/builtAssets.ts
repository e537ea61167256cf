/** Addresses of the built files that a page loads. The build of the renderer puts them in place of the name. */

/** The files. */
export type ExplorerAssets = {
  /** Script that chooses the stored theme before the first paint. */
  readonly theme: string;
  readonly script: string;
  /** What the script imports at once, and the catalogue of the language. */
  readonly preloads: readonly string[];
  readonly catalogues: { readonly en: string; readonly de: string; readonly es: string };
  readonly styles: readonly string[];
  readonly icon: string;
  /** Pictures for share previews, by the kind of page. */
  readonly pictures: Readonly<Record<string, string>>;
};

declare const SVC_EXPLORER_ASSETS: ExplorerAssets;

/** The files of this build. */
export const BUILT_ASSETS: ExplorerAssets = SVC_EXPLORER_ASSETS;
