/**
 * Labels that an owner gives, by the key of what they name, and their stored form: JSON with a version. Labels are a record of their own,
 * which no scan touches.
 */
import * as v from "valibot";
import { stableJson } from "../../base/stableJson.ts";
import { cutText } from "./cutText.ts";
import { readAnnotations, requireAnnotations } from "./storedAnnotations.ts";

/** Label by key; what has none is not in it. */
export type Labels<Key extends string | number> = ReadonlyMap<Key, string>;

/** What the labels of one kind of thing are. */
export type LabelRules<Key extends string | number> = {
  /** A key as it is stored. */
  readonly key: v.GenericSchema<unknown, Key>;
  /** Characters of a label; what is longer is cut. */
  readonly chars: number;
};

const VERSION = 1;

/** How labels of one kind are changed, written and read. */
export class LabelForm<Key extends string | number> {
  readonly #rules: LabelRules<Key>;

  constructor(rules: LabelRules<Key>) {
    this.#rules = rules;
  }

  /** The labels with another one for a key: without blanks around it, cut to its limit; an empty one takes the label away. */
  changed(labels: Labels<Key>, key: Key, text: string): Labels<Key> {
    const changed = new Map(labels);
    const cut = cutText(text, this.#rules.chars);
    if (cut === "") changed.delete(key);
    else changed.set(key, cut);
    return changed;
  }

  /** The stored form, the same for the same labels. */
  encode(labels: Labels<Key>): string {
    const rows = [...labels].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return stableJson({ version: VERSION, labels: rows });
  }

  /** Reads the stored form. Throws `store/version` and `store/corrupt`. */
  decode(text: string): Labels<Key> {
    const { key, chars } = this.#rules;
    const label = v.pipe(
      v.string(),
      v.nonEmpty(),
      v.check((text) => [...text].length <= chars),
    );
    const schema = v.strictObject({
      version: v.literal(VERSION),
      labels: v.array(v.strictTuple([key, label])),
    });
    const labels = new Map(
      readAnnotations({ what: "labels", version: VERSION, schema }, text).labels,
    );
    requireAnnotations("labels", text, this.encode(labels));
    return labels;
  }
}
