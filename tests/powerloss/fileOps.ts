/** File operations of a program below a folder, in order, as a disk sees them: names of files, and bytes of files. */

/** A name in a folder that gets a file or folder, or loses it (`null`). Files and folders are numbers; 0 is the top. */
export type NameChange = {
  readonly folder: number;
  readonly name: string;
  readonly to: number | null;
};

/** One file operation. */
export type FileOp =
  /** Names that change together: one, or the two of a rename. */
  | { readonly kind: "names"; readonly changes: readonly NameChange[] }
  /** Bytes written; `isFlushed` when they were on disk on return. */
  | {
      readonly kind: "write";
      readonly file: number;
      readonly offset: number;
      readonly bytes: Uint8Array;
      readonly isFlushed: boolean;
    }
  | { readonly kind: "cut"; readonly file: number; readonly length: number }
  /** Everything that was done to a file, or to the names in a folder, is on disk. */
  | { readonly kind: "flush"; readonly file: number }
  /** The program printed a line: what it says counts as acknowledged. */
  | { readonly kind: "said"; readonly line: string };

/** Operations, and which of their numbers are folders. */
export type Recording = { readonly ops: readonly FileOp[]; readonly folders: ReadonlySet<number> };
