/** The database of a test file, as the migrations make it. */
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Applies the migrations. Harmless when repeated. */
export async function migrate(): Promise<D1Database> {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  return env.DB;
}
