/** Implementation of the wallet worker's RPC calls, each a few lines over the parts of `WalletHost`. */
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { judgeSignedMessage } from "@svc/shared/signer/messages/judgeSignedMessage.ts";
import { WalletHost } from "./walletHost.ts";
import type { LocalMiner, WalletApi } from "../wallet-api/walletApi.ts";
import { paymentCalls } from "./paymentCalls.ts";
import { chooseWallet, newWallet } from "./wallets/walletSwitch.ts";
import { readAutoLock } from "../wallet-api/autoLock.ts";
import { askMiner, tellMiner } from "../node/nodeQuestions.ts";

/** The calls over a host that `start` makes. */
export function walletCalls(glue: unknown): WalletApi {
  let made: WalletHost | null = null;
  const host = (): WalletHost => {
    if (made === null) throw new SvcError("wallet/locked", {});
    return made;
  };
  const never = new AbortController().signal;
  return {
    async start(keyring, listener, options) {
      made = new WalletHost({ ...options, glue, keyring, listener });
      void made.run();
    },
    replaceKeyring: (keyring) => host().replaceKeyring(keyring),
    takeOver: (force) => host().takeOver(force),
    noteActivity: () => host().tabs.noteActivity(),
    acceptNetwork: (digest) => host().acceptNetwork(digest),
    vault: () => host().kept.vault(),
    adopt: (vault, from) => host().adopt(vault, from),
    open: () => host().open(),
    lock: () => host().lock(),
    erase: (id) => host().erase(id),
    chooseWallet: (id) => chooseWallet(host(), id),
    newWallet: () => newWallet(host()),
    renameWallet: (id, name) => host().wallets.rename(id, name).then(host().tell),
    confirmBackup: () => host().kept.remember({ backupConfirmed: true }),
    replaceVault: (header, next) => host().kept.replace(header, next),
    backupFacts: () => host().backupFacts(),
    backupAnnotations: () => host().session.annotations.backup(),
    setAutoLock: (choice) => host().kept.remember({ autoLock: readAutoLock(choice) }),
    setMergesNotes: (on) => setMergesNotes(host(), on),
    setRecoverableHistory: (on) => setRecoverableHistory(host(), on),
    newAddress: () => host().session.newAddress(),
    addresses: (limit) => host().session.annotations.addresses.list(limit),
    labelAddress: (index, text) => host().session.annotations.addresses.label(index, text),
    contacts: () => host().session.annotations.contacts.list(),
    putContact: (contact) => host().session.annotations.contacts.put(contact),
    removeContact: (address) => host().session.annotations.contacts.remove(address),
    networkProfile: async () => host().session.profileJson,
    verifyMessage: async (signed) =>
      judgeSignedMessage(host().core, host().session.profileJson, signed),
    ...paymentCalls(host),
    history: (query) => host().tabs.reads.history(query),
    labelPayment: (rowId, text) => host().session.annotations.labels.label(rowId, text),
    historyFile: (query, form) => host().tabs.reads.historyFile(query, form),
    receipts: (rowId, challenge) => host().tabs.reads.receipts(rowId, challenge),
    rescan: (from = "birthday") => host().rescan(from),
    retryNode: () => host().retryNode(),
    retryCore: () => void host().loadCore(),
    lookAtOthers: () => host().session.lookAtOthers(),
    localMiner: () => miner(host(), askMiner(host().url, never)),
    mineHere: (on) => {
      const { url, session, core } = host();
      // Coinbase notes are looked for at the first addresses only: a later one would never be credited.
      const address = on ? session.addressText(0) : addressOfNobody(core, session.policy.hrp);
      return miner(host(), tellMiner(url, address, never));
    },
  };
}

/** An address that nobody can spend from, since its keys are discarded: a local miner goes on without paying anybody. */
function addressOfNobody(core: CoreGlue, hrp: string): string {
  using seed = new Secret(callCore(() => core.generateSeed()));
  const raw = seed.reveal((bytes) => callCore(() => core.addressAt(core.fullViewingKey(bytes), 0)));
  return callCore(() => core.encodeAddress(hrp, raw));
}

/** A merge under way ends when its owner no longer wants any. */
async function setMergesNotes(host: WalletHost, mergesNotes: boolean): Promise<void> {
  if (host.kept.watchOnly) throw new SvcError("wallet/watch-only", {});
  await host.kept.remember({ mergesNotes });
  if (!mergesNotes) await host.merger.clearWay();
}

async function setRecoverableHistory(host: WalletHost, recoverableHistory: boolean): Promise<void> {
  if (host.kept.watchOnly) throw new SvcError("wallet/watch-only", {});
  await host.kept.remember({ recoverableHistory });
}

async function miner(
  { session }: WalletHost,
  answer: ReturnType<typeof askMiner>,
): Promise<LocalMiner> {
  const found = await answer;
  if (found === null) throw new SvcError("http/not-found", { path: "/local/mine" });
  const { address, blocksPerSecond, minedBlocks } = found;
  const paysUs = session.isOwn(address);
  return { address, paysUs, blocksPerSecond, minedBlocks: String(minedBlocks) };
}
