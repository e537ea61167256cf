/** Annotations that a backup brings back, checked and sealed for the store of the new wallet. */
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import {
  ANNOTATION_RECORDS,
  type BackupAnnotations,
  type AnnotationRecord,
} from "../../wallet-api/backupAnnotations.ts";
import type { ViewingKeys } from "../../wallet-api/keyringApi.ts";
import type { RestoreFrom } from "../../wallet-api/walletApi.ts";
import type { SealedAnnotations } from "../store/database.ts";
import { sealedText } from "../store/sealedText.ts";
import { annotationForms } from "./annotationForms.ts";

/** What the annotations are checked and sealed with. */
export type RestoreParts = {
  readonly core: Pick<CoreGlue, "decodeAddress">;
  /** Prefix of the network's addresses. */
  readonly hrp: string;
  /** Keys of the wallet to be. */
  readonly keys: () => Promise<Pick<ViewingKeys, "dataKey" | "viewingKey">>;
};

const NAMES: { readonly [N in AnnotationRecord]: string } = {
  contacts: "contacts",
  labels: "names of addresses",
  "payment-labels": "remarks on payments",
};

/** The records to store; none without a backup. Rejects with `wallet/bad-backup` for annotations that this wallet could not have written. */
export async function restoredAnnotations(
  from: RestoreFrom,
  { core, hrp, keys }: RestoreParts,
): Promise<SealedAnnotations> {
  if (from.kind !== "backup") return [];
  const check = (address: string) => void callCore(() => core.decodeAddress(hrp, address));
  const texts = checkedTexts(from.annotations, check);
  if (texts.length === 0) return [];
  const { dataKey: bytes, viewingKey } = await keys();
  viewingKey.fill(0);
  using dataKey = new Secret(bytes);
  return texts.map(([name, text]) => [name, sealedText(dataKey, name, text)]);
}

function checkedTexts(
  annotations: BackupAnnotations,
  checkAddress: (address: string) => void,
): readonly (readonly [AnnotationRecord, string])[] {
  return ANNOTATION_RECORDS.flatMap((name) => {
    const text = annotations[name];
    if (text === null) return [];
    try {
      const read = annotationForms[name](text);
      if (name === "contacts") for (const address of read.keys()) checkAddress(String(address));
    } catch (error) {
      throw refusalOf(name, error);
    }
    return [[name, text] as const];
  });
}

function refusalOf(name: AnnotationRecord, error: unknown): SvcError {
  const reason = SvcError.is(error, "store/version")
    ? `a newer program wrote its ${NAMES[name]}`
    : `its ${NAMES[name]} cannot be read`;
  return new SvcError("wallet/bad-backup", { reason }, error);
}
