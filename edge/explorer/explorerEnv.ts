/** What the explorer's Worker is given by `wrangler.toml`. */

/** Bindings. */
export type ExplorerEnv = {
  /** Search and history. */
  readonly DB: D1Database;
};
