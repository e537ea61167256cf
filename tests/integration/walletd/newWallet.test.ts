/** `svc gateway merchants add --new-wallet` as an operator calls it: what it prints, keeps and refuses. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runGateway } from "@svc/node-server/app/gateway/runGateway.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";

const never = (): never => {
  throw new Error("neither a gateway nor a scan is started");
};

/** An operator's commands at a folder; what they print is kept. */
function operatorAt(folder: string) {
  const printed: string[] = [];
  const run = (...args: readonly string[]): Promise<number> => {
    const place = ["--network=simnet", `--gateway-dir=${join(folder, "gateway")}`];
    const { signal } = new AbortController();
    const print = (line: string): void => void printed.push(line);
    const context = { args: [...args, ...place], environment: {}, print, signal };
    return runGateway(context, { serve: never, scan: never, drill: never });
  };
  return { printed, run };
}

it("adds a merchant with a new wallet, says whose the seed is, and shows it nowhere", async () => {
  const folder = folderOfTest();
  const { printed, run } = operatorAt(folder);
  const path = join(folder, "shop.seed");
  await run("merchants", "add", "shop", `--new-wallet=${path}`);
  const seed = readFileSync(path, "utf8").trim();
  expect(printed).toEqual([
    expect.stringMatching(/^shop has the viewing key key_[0-9a-f]{16}$/),
    `the seed in ${path} spends what shop earns, and belongs off this machine`,
  ]);
  const own = join(folder, "gateway");
  const kept = readdirSync(own, { recursive: true, withFileTypes: true });
  const files = kept.filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(1);
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    expect(bytes.includes(seed) || bytes.includes(Buffer.from(seed, "hex"))).toBe(false);
  }
});

it("makes no seed for a merchant that is there already, and no merchant without a seed", async () => {
  const folder = folderOfTest();
  const { printed, run } = operatorAt(folder);
  const [first, second] = [join(folder, "shop.seed"), join(folder, "second.seed")];
  await run("merchants", "add", "shop", `--new-wallet=${first}`);
  const again = run("merchants", "add", "shop", `--new-wallet=${second}`);
  expect(await rejectionCode(again)).toBe("gateway/merchant-exists");
  expect(existsSync(second)).toBe(false);
  const other = run("merchants", "add", "other", `--new-wallet=${first}`);
  expect(await rejectionCode(other)).toBe("node/bad-option");
  printed.length = 0;
  await run("merchants", "list");
  expect(printed).toEqual([expect.stringMatching(/^shop {2}/)]);
  expect(readdirSync(join(folder, "gateway", "keys"))).toHaveLength(1);
});
