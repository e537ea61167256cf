/** Program of the kill test of wallet folders: does one piece of work on a disk that kills it, and says what it acknowledged. */
import { readFileSync, writeSync } from "node:fs";
import {
  cheapCore,
  MADE_UNIX,
  openFolder,
  secretOf,
  TEST_NETWORK,
  TOKEN,
} from "@svc/node-server/walletd/keys/testkit/keysScene.ts";
import { changeFolderSecret } from "@svc/node-server/walletd/tools/changeFolderSecret.ts";
import { graft } from "@svc/node-server/walletd/tools/graft.ts";
import { withOfflineFolder } from "@svc/node-server/walletd/tools/offlineFolder.ts";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { dyingDisk } from "./dyingDisk.ts";

const [path = "", work = "", spared = "0", from = "", to = ""] = process.argv.slice(2);
const disk = dyingDisk(Number(spared));
const secret = (text: string) => (text === "" ? null : secretOf(text));

if (work === "change") {
  await changeFolderSecret({
    path,
    network: TEST_NETWORK.network,
    core: cheapCore(),
    from: secret(from),
    to: secret(to) ?? "plaintext",
    signal: new AbortController().signal,
    disk,
  });
  writeSync(1, "changed");
} else if (work === "graft") {
  const { genesis, profileDigest } = freshWallet().account;
  const parts = { ...TEST_NETWORK, path, core: cheapCore(), secret: secret(from), disk };
  const file = new Uint8Array(readFileSync(to));
  await withOfflineFolder(
    { ...parts, nowUnix: () => MADE_UNIX, identity: { genesis, profileDigest } },
    (open) => graft(open, TOKEN, file),
  );
  writeSync(1, "grafted");
} else {
  const wallets = await openFolder(path, { disk, secret: secret(from) });
  if (work === "scan") {
    await wallets.writeScan(TOKEN, new TextEncoder().encode("second"));
    writeSync(1, "written");
  } else {
    const birthday = asDaaScore(0n);
    const { seed } = await wallets.create(TOKEN, { birthday, replace: work === "replace" });
    writeSync(1, seed.reveal(encodeHex));
  }
}
process.exit(0);
