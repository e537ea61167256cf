/** Annotations in a backup: the stored texts of contacts, names of addresses, and remarks on payments. */
import * as v from "valibot";

/** The records of annotations, the one first that a backup keeps first where not all of them fit. */
export const ANNOTATION_RECORDS = ["contacts", "labels", "payment-labels"] as const;

/** One of those records: the contacts, the names of own addresses, or the remarks on payments. */
export type AnnotationRecord = (typeof ANNOTATION_RECORDS)[number];

/** The stored text of each record; null for one that nobody wrote. */
export type BackupAnnotations = { readonly [N in AnnotationRecord]: string | null };

/** The annotations of a wallet whose owner wrote none. */
export const NO_ANNOTATIONS: BackupAnnotations = {
  contacts: null,
  labels: null,
  "payment-labels": null,
};

const text = v.nullable(v.string());

/** Form of the annotations in a backup file. What the texts hold is checked by whoever stores them. */
export const backupAnnotationsForm = v.object({
  contacts: text,
  labels: text,
  "payment-labels": text,
} satisfies { readonly [N in AnnotationRecord]: unknown });

/** The annotations that go into a backup, and the records that do not: damaged ones, and those without room. */
export type KeptAnnotations = {
  readonly annotations: BackupAnnotations;
  readonly leftOut: readonly AnnotationRecord[];
};
