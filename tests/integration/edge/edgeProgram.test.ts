/** The gateway's Worker as a person starts it, `npm run edge`: without a network, and leaving nothing outside of the checkout. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { freePort } from "../../network/testkit/freePort.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const scene = fileURLToPath(new URL("edgeScene.ts", import.meta.url));
/** A network namespace with nothing but this machine. */
const ALONE = ["--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const hasNamespaces = spawnSync("unshare", [...ALONE, "true"]).status === 0;

it.skipIf(!hasNamespaces)(
  "answers, is called by the Cron's stand-in and ends, without a network",
  async () => {
    const folder = folderOfTest();
    const [home, data] = [join(folder, "home"), join(folder, "data")];
    mkdirSync(home);
    const args = [...ALONE, process.execPath, scene, String(await freePort()), data];
    const { stdout, stderr } = spawnSync("unshare", args, {
      encoding: "utf8",
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, "config"), TMPDIR: home },
    });
    const line = stdout.trim().split("\n").at(-1) ?? "";
    const seen: unknown = line.startsWith("{") ? JSON.parse(line) : { stdout, stderr };
    expect(seen).toMatchObject({ health: 200, cron: 200, status: 0 });
    expect(seen).toMatchObject({ body: '{"ok":true,"service":"svc-gateway"}' });
    expect(seen).toMatchObject({ isOffline: true });
    expect(readdirSync(home)).toEqual([]);
    expect(readdirSync(data)).toContain("gateway.env");
    expect(line).not.toMatch(/local:[0-9a-f]{64}/);
  },
);

it.each(["gateway", "explorer"])("the Worker of %s is bundled for the platform", (environment) => {
  const folder = folderOfTest();
  const run = join(ROOT, "scripts", "run.sh");
  expect(spawnSync("sh", [run, "scripts/edge.ts", "--assets"], { cwd: ROOT }).status).toBe(0);
  const wrangler = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");
  const config = ["--config", "edge/wrangler.toml", "--env", environment];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [wrangler, "deploy", "--dry-run", "--outdir", folder, ...config],
    {
      cwd: ROOT,
      encoding: "utf8",
      env: {
        ...process.env,
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        WRANGLER_HIDE_BANNER: "true",
        WRANGLER_SEND_METRICS: "false",
      },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith(".js"))).toHaveLength(1);
});
