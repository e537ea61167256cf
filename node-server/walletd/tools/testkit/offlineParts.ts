/** Dependencies of the offline commands over a folder of the keys' test network. */
import { freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import {
  cheapCore,
  MADE_UNIX,
  SECRET_TEXT,
  secretOf,
  TEST_NETWORK,
} from "../../keys/testkit/keysScene.ts";
import type { OfflineParts } from "../offlineFolder.ts";

/** The parts for the folder at this path, sealed under a secret; the command takes the secret. */
export function offlineParts(path: string, secret: string = SECRET_TEXT): OfflineParts {
  const { genesis, profileDigest } = freshWallet().account;
  return {
    ...TEST_NETWORK,
    path,
    core: cheapCore(),
    secret: secretOf(secret),
    nowUnix: () => MADE_UNIX,
    identity: { genesis, profileDigest },
  };
}
