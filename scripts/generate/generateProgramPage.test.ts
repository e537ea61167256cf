import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FLAGS } from "@svc/node-server/app/options/flags.ts";
import { SEEDER_FLAGS } from "@svc/node-server/app/seeder/seederFlags.ts";
import { WALLETD_FLAGS } from "@svc/node-server/app/walletd/walletdFlags.ts";
import {
  fillSlots,
  renderProgramPage,
  renderSeederPage,
  renderWalletdPage,
} from "./generateProgramPage.ts";

it("docs/programs/svc.md shows the program's options as they are", () => {
  const page = readFileSync(new URL("../../docs/programs/svc.md", import.meta.url), "utf8");
  expect(page).toBe(renderProgramPage(FLAGS));
});

it("docs/programs/seeder.md shows the seeder's options as they are", () => {
  const page = readFileSync(new URL("../../docs/programs/seeder.md", import.meta.url), "utf8");
  expect(page).toBe(renderSeederPage(SEEDER_FLAGS));
  expect(page).toContain("| `--appdir FOLDER`, `-b` | `SVC_APPDIR` | ~/.svc |");
});

it("docs/programs/walletd.md shows the wallet daemon's options as they are", () => {
  const page = readFileSync(new URL("../../docs/programs/walletd.md", import.meta.url), "utf8");
  expect(page).toBe(renderWalletdPage(WALLETD_FLAGS));
  expect(page).toContain("| `--plaintext` | `SVC_PLAINTEXT` | change-secret | off |");
  expect(page).toContain("| `--network NAME` | `SVC_NETWORK` | all | mainnet |");
});

it("an option shows its forms, its variable and a default per command", () => {
  const page = renderProgramPage([
    {
      name: "data-dir",
      short: "d",
      value: "FOLDER",
      commands: ["node", "local"],
      fallback: { node: "home", local: "here", verify: "there" },
      text: "Where.",
    },
  ]);
  expect(page).toContain(
    "| `--data-dir FOLDER`, `-d` | `SVC_DATA_DIR` | node, local | node: home; local: here | Where. |",
  );
});

it("a slot is filled, and one that does not fit its values is a fault", () => {
  expect(fillSlots("{{a}} and {{b}}, {{a}}\n", { a: "$&", b: "2" })).toBe("$& and 2, $&\n");
  expect(() => fillSlots("{{a}} and {{b}}", { a: "1" })).toThrow("the slot b has no value");
  expect(() => fillSlots("{{a}}", { a: "1", b: "2", c: "3" })).toThrow("there is no slot b, c");
});
