/**
 * The oldest browsers that the pages are built for: those that have everything in `web/build/browserTarget.test.ts`, which no build can
 * put in. The newest of them is of March 2024.
 */
export const BROWSER_TARGET: readonly string[] = ["chrome120", "firefox124", "safari17.4"];
