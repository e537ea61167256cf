/** Annotations of an open wallet for its backup file. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import {
  NO_ANNOTATIONS,
  ANNOTATION_RECORDS,
  type BackupAnnotations,
  type KeptAnnotations,
  type AnnotationRecord,
} from "../../wallet-api/backupAnnotations.ts";
import { annotationForms } from "./annotationForms.ts";

/**
 * Reads the annotations. A record that is damaged or has no room is left out and named, since the seed has to be saved all the same. Rejects
 * as `load` does for every other reason.
 */
export async function keptAnnotations(
  load: (name: AnnotationRecord) => Promise<string | null>,
): Promise<KeptAnnotations> {
  const texts = await Promise.all(ANNOTATION_RECORDS.map((name) => wholeText(name, load)));
  const leftOut: AnnotationRecord[] = [];
  let annotations: BackupAnnotations = NO_ANNOTATIONS;
  ANNOTATION_RECORDS.forEach((name, at) => {
    const text = texts[at];
    const more = { ...annotations, [name]: text ?? null };
    if (text === undefined || !fits(more)) leftOut.push(name);
    else annotations = more;
  });
  return { annotations, leftOut };
}

/** The text of a record that can be read; undefined for a damaged one. */
async function wholeText(
  name: AnnotationRecord,
  load: (name: AnnotationRecord) => Promise<string | null>,
): Promise<string | null | undefined> {
  try {
    const text = await load(name);
    if (text !== null) annotationForms[name](text);
    return text;
  } catch (error) {
    if (SvcError.is(error, "store/corrupt", "store/version")) return undefined;
    throw error;
  }
}

function fits(annotations: BackupAnnotations): boolean {
  const { length } = new TextEncoder().encode(JSON.stringify(annotations));
  return length <= PAGE_LIMITS.backupAnnotationsBytes;
}
