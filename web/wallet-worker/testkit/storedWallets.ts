/** Wallets of a browser profile as a test makes, alters and lists them: `WalletPlaces` over the browser's own IndexedDB. */
import { deleteDB, openDB } from "idb";
import * as v from "valibot";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";
import { FIRST_DATABASE, openDatabase, type StoredNetwork } from "../store/database.ts";
import { KeptWallet } from "../store/keptWallet.ts";
import { loadStoredList } from "../wallets/listStore.ts";
import { databaseOf, FIRST_WALLET } from "../wallets/walletList.ts";
import { WalletPlaces } from "../wallets/walletPlaces.ts";

const ignore = () => undefined;
const SILENT = { onReplaced: ignore, onClosed: ignore };
const network: StoredNetwork = { profileJson: "{}", digest: "00", birthday: "genesis" };
const text = v.string();
const leaving = v.picklist(["choose", "enter", "remove"]);

let kept = new KeptWallet(ignore);
let places = new WalletPlaces(kept, SILENT);

/** A vault that nobody can open; its header says which wallet it is. */
function vaultOf(header: string): VaultRecord {
  return { header, passSlot: new Uint8Array(1), seed: new Uint8Array(1) };
}

async function databaseNames(): Promise<readonly string[]> {
  return (await indexedDB.databases()).map(({ name = "" }) => name).toSorted();
}

/** The calls of a test, by name. Arguments and answers are plain data. */
export const walletsCalls = {
  /** Begins anew, as a tab that was just opened; gives the list and whose vault is open. */
  "wallets.enter": async () => {
    places.leave();
    kept = new KeptWallet(ignore);
    places = new WalletPlaces(kept, SILENT);
    places.hold();
    await places.enter();
    return walletsCalls["wallets.view"]();
  },
  "wallets.view": async () => ({
    ...places.view,
    open: await kept.vault().then(
      ({ header }) => header,
      () => null,
    ),
  }),
  "wallets.begin": async () => places.begin(),
  "wallets.add": async (header: unknown) => places.add(vaultOf(v.parse(text, header)), network, []),
  "wallets.choose": async (id: unknown) => void (await places.choose(v.parse(text, id))),
  "wallets.rename": async (id: unknown, name: unknown) =>
    places.rename(v.parse(text, id), v.parse(text, name)),
  "wallets.remove": async (id: unknown) => places.remove(v.parse(text, id)),
  /** Calls without arguments, to be killed in the middle. */
  "wallets.addThird": async () => places.add(vaultOf("third"), network, []),
  "wallets.removeCurrent": async () => places.remove(places.view.current ?? ""),
  "wallets.leave": async () => places.leave(),
  /** Leaves before an opening that was asked for has come to its end. */
  "wallets.leaveWhile": async (call: unknown, id: unknown) => {
    const begun = {
      choose: () => places.choose(v.parse(text, id)),
      enter: () => places.enter(),
      // As the worker does it: what is left is looked at behind a removal.
      remove: async () => {
        await places.remove(places.view.current ?? "");
        await places.enter();
      },
    }[v.parse(leaving, call)]();
    places.leave();
    return begun.then(
      () => "done",
      (error: unknown) => String(error),
    );
  },
  "wallets.databases": databaseNames,
  /** The stored list, as it is. */
  "wallets.stored": loadStoredList,
  /** Puts something else in place of the stored list; undefined for none. */
  "wallets.alter": async (stored: unknown) => {
    const database = await openDB("svc-wallets", 1);
    if (stored === undefined) await database.delete("list", "list");
    else await database.put("list", stored, "list");
    database.close();
  },
  /** Has the database of the list be one of another program. */
  "wallets.unreadable": async () => {
    await deleteDB("svc-wallets");
    (await openDB("svc-wallets", 1_000)).close();
  },
  /** Deletes everything, then makes a wallet as a program did that knew one alone. */
  "wallets.single": async (header: unknown) => {
    places.leave();
    for (const name of await databaseNames()) await deleteDB(name);
    if (header === undefined) return;
    await walletsCalls["wallets.plant"](FIRST_WALLET, header);
  },
  /** Makes a database with this wallet in it, or with nothing in it, behind the list's back. */
  "wallets.plant": async (id: unknown, header: unknown) => {
    const database = await openDatabase(databaseOf(v.parse(text, id)), SILENT);
    if (header !== undefined) {
      await database.put("vault", vaultOf(v.parse(text, header)), "vault");
      await database.put("meta", network, "network");
    }
    database.close();
  },
  /** Puts a vault into the database that is there, whatever its version is. */
  "wallets.seal": async (header: unknown) => {
    const database = await openDB(FIRST_DATABASE);
    const { version } = database;
    await database.put("vault", vaultOf(v.parse(text, header)), "vault");
    await database.put("meta", network, "network");
    database.close();
    return version;
  },
  /** Deletes a database behind the list's back, as a removal that died before it came to the list. */
  "wallets.uproot": async (id: unknown) => deleteDB(databaseOf(v.parse(text, id))),
  /** Has the database of a wallet be one of a newer program. */
  "wallets.newer": async (id: unknown) => {
    const name = databaseOf(v.parse(text, id));
    (await openDB(name, 1_000)).close();
  },
} as const;
