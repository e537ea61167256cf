import { describe, expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { openRecord } from "../../keyring/sealedRecord.ts";
import { NO_ANNOTATIONS, type BackupAnnotations } from "../../wallet-api/backupAnnotations.ts";
import { restoredAnnotations } from "./restoredAnnotations.ts";

const core = await loadCoreFile();
const KEY = new Uint8Array(32).fill(5);
const raw = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(9)), 0);
const ann = core.encodeAddress("home", raw);

const contacts = (address: string, proof = "null") =>
  `{"contacts":[["${address}","Ann",${proof}]],"version":1}`;
const ANNOTATIONS: BackupAnnotations = {
  contacts: contacts(ann, '["I am Ann","1000"]'),
  labels: '{"labels":[[7,"shop"]],"version":1}',
  "payment-labels": '{"labels":[["ab","for the roof"]],"version":1}',
};

/** Restores, and says how often the keys were asked for. */
function restoring(annotations: BackupAnnotations) {
  const state = { asked: 0 };
  const keys = async () => {
    state.asked += 1;
    return { dataKey: KEY.slice(), viewingKey: new Uint8Array(96) };
  };
  const facts = { birthday: "genesis", birthdayGuessed: false } as const;
  const from = { kind: "backup", facts, annotations } as const;
  return { state, sealed: restoredAnnotations(from, { core, hrp: "home", keys }) };
}

describe("annotations of a backup", () => {
  test("are records of the new wallet, sealed under its key", async () => {
    const sealed = await restoring(ANNOTATIONS).sealed;
    const texts = sealed.map(([name, bytes]) => {
      const place = new TextEncoder().encode(`${name}/1`);
      return [name, new TextDecoder().decode(openRecord(KEY, place, bytes) ?? undefined)];
    });
    expect(Object.fromEntries(texts)).toEqual(ANNOTATIONS);
  });

  test("are none where there is no backup, or none in it, and no key is asked for", async () => {
    const keys = () => Promise.reject(new Error("must not be asked"));
    expect(await restoredAnnotations({ kind: "now" }, { core, hrp: "home", keys })).toEqual([]);
    const { sealed, state } = restoring(NO_ANNOTATIONS);
    expect(await sealed).toEqual([]);
    expect(state.asked).toBe(0);
  });

  test.each<[Partial<BackupAnnotations>, RegExp]>([
    [{ contacts: contacts(core.encodeAddress("away", raw)) }, /^its contacts cannot be read$/],
    [{ contacts: contacts(`${ann}q`) }, /^its contacts cannot be read$/],
    [{ contacts: contacts(ann, '["m","99999999999999999"]') }, /^its contacts cannot be read$/],
    [{ contacts: "" }, /^its contacts cannot be read$/],
    [{ contacts: '{"contacts":[],"version":2}' }, /^a newer program wrote its contacts$/],
    [{ labels: '{"labels":[[4294967296,"x"]],"version":1}' }, /^its names of addresses cannot/],
    [{ labels: '{"labels":{"__proto__":1},"version":1}' }, /^its names of addresses cannot/],
    [{ "payment-labels": '{"labels":[["a",""]],"version":1}' }, /^its remarks on payments cannot/],
  ])("that are %j are refused before a key is asked for", async (lie, reason) => {
    const { sealed, state } = restoring({ ...ANNOTATIONS, ...lie });
    await expect(sealed).rejects.toMatchObject({
      code: "wallet/bad-backup",
      data: { reason: expect.stringMatching(reason) },
    });
    expect(state.asked).toBe(0);
  });
});
