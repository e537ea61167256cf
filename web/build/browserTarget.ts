/** The oldest browsers that the pages are built for. */
export const BROWSER_TARGET: readonly string[] = ["chrome111", "firefox114", "safari16.4"];
